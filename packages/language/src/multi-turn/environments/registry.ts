import { isMultiTurn } from "../../tasks/episode.ts";
import type { TextTask } from "../../tasks/text-task.ts";
import * as all from "./index.ts";

const isMultiTurnTask = (x: unknown): x is TextTask =>
  typeof x === "object" && x !== null && "verify" in x && isMultiTurn(x as TextTask);

/** All multi-turn environments by name. */
export const multiTurnTasks: { readonly [id: string]: TextTask } = Object.fromEntries(
  (Object.values(all) as unknown[]).filter(isMultiTurnTask).map((w) => [w.id, w]),
);
