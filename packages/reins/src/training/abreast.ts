import { type Run, Together } from "@reins/core";

/** A run that has asked for its next round. */
interface Waiting {
  readonly run: Run;
  done(): void;
  failed(error: unknown): void;
}

/** Runs that wait for each other: when each has asked for its next round, all rounds are computed in one call. */
export class Abreast {
  private members: readonly Run[];
  private together: Together | undefined;
  private waiting: Waiting[] = [];

  constructor(runs: readonly Run[]) {
    this.members = runs;
  }

  /** The next round of a member: there when all members have asked for theirs. What fails in it is the member's own. */
  round(run: Run): Promise<void> {
    return new Promise((done, failed) => {
      this.waiting.push({ run, done, failed });
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
    const ready = this.waiting;
    this.waiting = [];
    try {
      this.together ??= new Together(this.members);
      const failures = this.together.round();
      for (const { run, done, failed } of ready) failures.has(run) ? failed(failures.get(run)) : done();
    } catch (error) {
      for (const { failed } of ready) failed(error);
    }
  }
}
