import { carriedOut, type ToolOutcome } from "../shared/tool-rewards.ts";
import { names } from "../shared/tool-teacher.ts";

/** Cost of a repeated call, and of a call whose argument is not a name. */
const rule = 0.1;

/**
 * −1 for a conversation that does not end; otherwise 1 if all needed calls were made, minus the costs of repeated and
 * incorrect calls. The answer does not count.
 */
export function completeness(o: ToolOutcome): number {
  if (!o.finished) return -1;
  const carried = carriedOut(o);
  const repeated = carried.length - new Set(carried).size;
  const incorrect = o.made.filter(({ call }) => !names.includes(call.slice(2, -1))).length;
  return Number(o.known || o.done === o.way.length) - rule * (repeated + incorrect);
}
