import type { Run } from "@reins/core";
import { BatchedRuns } from "@reins/core/loops";

/** A run that is ready for its next round. */
interface Waiting {
  readonly run: Run;
  done(): void;
  failed(error: unknown): void;
}

/** Runs several runs in lockstep: when all are ready, their rounds are computed in one call. */
export class Lockstep {
  private members: readonly Run[];
  private together: BatchedRuns | undefined;
  private waiting: Waiting[] = [];

  constructor(runs: readonly Run[]) {
    this.members = runs;
  }

  /** The next round of a member; resolves when all members have requested theirs. A failure rejects only its own member. */
  round(run: Run): Promise<void> {
    return new Promise((done, failed) => {
      this.waiting.push({ run, done, failed });
      this.go();
    });
  }

  /** Removes a run that has ended; the others continue. */
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
      this.together ??= new BatchedRuns(this.members);
      const failures = this.together.round();
      for (const { run, done, failed } of ready) failures.has(run) ? failed(failures.get(run)) : done();
    } catch (error) {
      for (const { failed } of ready) failed(error);
    }
  }
}
