import { fail } from "../errors.ts";
import { allFailed, type Verdict } from "../judge.ts";

/** Consecutive failed verdicts that rule out an accident. */
const many = 8;

/**
 * Stops a run whose judge has broken down, with the first reason. A single failed verdict only costs one answer its reward; a batch of
 * failed verdicts has no learning signal. It stops at once if no verdict has succeeded since the run was started or resumed, otherwise
 * after many failures in a row, because small batches can fail by accident.
 */
export function failureWatch(name: string): (verdicts: readonly Verdict[]) => void {
  let worked = false;
  let row = 0;
  return (verdicts) => {
    const why = allFailed(verdicts);
    row = why === undefined ? 0 : row + verdicts.length;
    if (why !== undefined && (!worked || row >= many))
      fail(
        name,
        `the judge (reward function) failed on all ${verdicts.length} episodes of a batch. The first error: ${why} Fix the judge, or the tools and turns of a multi-turn environment, then start or resume the run.`,
      );
    worked ||= why === undefined && verdicts.length > 0;
  };
}
