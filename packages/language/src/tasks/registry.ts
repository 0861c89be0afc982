import { arithmetic } from "./arithmetic.ts";
import type { Family } from "./family.ts";
import * as all from "./index.ts";

const isFamily = (x: unknown): x is Family =>
  typeof x === "object" && x !== null && "verify" in x && "make" in x && "levels" in x;

/** All families by name. */
export const families: { readonly [id: string]: Family } = Object.fromEntries(
  [arithmetic as Family, ...Object.values(all).filter(isFamily)].map((f) => [f.id, f]),
);
