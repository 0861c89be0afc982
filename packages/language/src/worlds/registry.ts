import { type Family, isTalked } from "../tasks/family.ts";
import * as all from "./index.ts";

const isWorld = (x: unknown): x is Family =>
  typeof x === "object" && x !== null && "verify" in x && isTalked(x as Family);

/** All multi-turn environments by name. */
export const worlds: { readonly [id: string]: Family } = Object.fromEntries(
  (Object.values(all) as unknown[]).filter(isWorld).map((w) => [w.id, w]),
);
