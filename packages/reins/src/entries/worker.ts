/**
 * `reins/worker`: `reins` in one file. It includes all algorithms and environments, which `reins` loads on
 * demand: a bundle of it is a single file, as Vite's workers must be by default.
 */
import * as diagnostics from "@reins/core/diagnostics";
import * as node from "#node";
import * as algorithms from "../places/algorithms.ts";
import * as bonuses from "../places/bonuses.ts";
import * as environments from "../places/environments.ts";

export * from "../index.ts";

// Keeps bundlers from removing modules that are loaded dynamically, or splitting them into files.
Object.assign(globalThis, {
  [Symbol.for("reins.loaded")]: [node, algorithms, bonuses, diagnostics, environments],
});
