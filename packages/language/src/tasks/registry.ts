import { arithmetic } from "./arithmetic.ts";
import * as all from "./index.ts";
import type { TextTask } from "./text-task.ts";

const isFamily = (x: unknown): x is TextTask =>
  typeof x === "object" && x !== null && "verify" in x && "make" in x && "levels" in x;

/** All families by name. */
export const families: { readonly [id: string]: TextTask } = Object.fromEntries(
  [arithmetic as TextTask, ...Object.values(all).filter(isFamily)].map((f) => [f.id, f]),
);
