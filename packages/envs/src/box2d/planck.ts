import { fail } from "@reins/core";
import type * as Planck from "planck";
import { withSameAngles } from "./same-angles.ts";
import { givenPlanck } from "./use-planck.ts";

/** Box2D in JavaScript: the exports of the package `planck`. */
export type Engine = typeof Planck;

let installed: Engine | undefined;

/** The engine. It is an optional dependency, loaded when the first world is created. */
export function planckFor(id: string): Engine {
  const given = givenPlanck();
  return given ? (given as Engine) : (installed ??= found(id));
}

function found(id: string): Engine {
  // Environments are created synchronously, so the engine cannot be awaited; and a static import would fail where
  // planck is not installed.
  const node = globalThis.process?.getBuiltinModule?.("node:module");
  const here: string | undefined = import.meta.url;
  if (!node || !here)
    fail(
      id,
      'it needs planck. Run: npm install planck; then import * as planck from "planck" and usePlanck(planck).',
    );
  try {
    return withSameAngles(() => node.createRequire(here)("planck"));
  } catch (error) {
    if ((error as { code?: unknown }).code !== "MODULE_NOT_FOUND") throw error;
    return fail(id, "planck is not installed. Run: npm install planck");
  }
}
