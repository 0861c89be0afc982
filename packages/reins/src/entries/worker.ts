/**
 * `reins/worker`: `reins` in one piece. It loads algorithms and environments by their names with itself, where `reins` waits until one is
 * asked for: a bundle of this is a single file, as Vite's workers must be unless they are told otherwise.
 */
import * as node from "#node";
import * as algorithms from "../places/algorithms.ts";
import * as bonuses from "../places/bonuses.ts";
import * as environments from "../places/environments.ts";

export * from "../index.ts";

// Bundlers leave out what nobody uses, and would then make files of their own of what is loaded later.
Object.assign(globalThis, { [Symbol.for("reins.loaded")]: [node, algorithms, bonuses, environments] });
