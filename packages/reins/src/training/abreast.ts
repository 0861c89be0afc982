import { type Run, Together } from "@reins/core";

/** Runs that wait for each other: when each has asked for its next round, all rounds are computed in one call. */
export class Abreast {
  private members: readonly Run[];
  private together: Together | undefined;
  private waiting: (() => void)[] = [];

  constructor(runs: readonly Run[]) {
    this.members = runs;
  }

  /** The next round of a member: there when all members have asked for theirs. */
  round(): Promise<void> {
    return new Promise((done) => {
      this.waiting.push(done);
      this.go();
    });
  }

  /** One fewer: it has come to its end. The others go on without it. */
  leave(run: Run): void {
    this.members = this.members.filter((r) => r !== run);
    this.together = undefined;
    this.go();
  }

  private go(): void {
    if (this.members.length === 0 || this.waiting.length < this.members.length) return;
    this.together ??= new Together(this.members);
    this.together.round();
    const ready = this.waiting;
    this.waiting = [];
    for (const done of ready) done();
  }
}
