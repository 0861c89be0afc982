import { fail } from "../errors.ts";
import { allFailed, type Verdict } from "../judge.ts";

/** So many verdicts in a row that failed are no accident. */
const many = 8;

/**
 * Stops a run whose judge has broken down, with the first reason. One verdict that failed costs an answer its reward; a batch of nothing else has
 * nothing to learn from. It ends the run at once if no verdict has ever come about since it was started or resumed, later if there are
 * many in a row: small batches may fail by accident.
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
        `the judge failed on all ${verdicts.length} episodes of a batch. The first time it said: ${why} There is nothing to learn from such a batch. Repair the judge (a family's verify, a sandbox) or the world (its turn, pay, tools, roles), then start or resume the run.`,
      );
    worked ||= why === undefined && verdicts.length > 0;
  };
}
