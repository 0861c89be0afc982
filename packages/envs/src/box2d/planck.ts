import { fail } from "@reins/core";
import type * as Planck from "planck";

/** Box2D in JavaScript: what the package `planck` exports. */
export type Engine = typeof Planck;

let engine: Engine | undefined;

/**
 * Gives the worlds of Box2D their engine, where it cannot be found by its name: in browsers and in bundles.
 *
 *     import * as planck from "planck";
 *     usePlanck(planck);
 */
export function usePlanck(planck: object): void {
  if (!("World" in planck)) fail("usePlanck", 'it takes what `import * as planck from "planck"` gives.');
  engine = planck as Engine;
}

/** The engine. It is not installed with Reins, as most programs need none, and it is loaded when the first world is made. */
export function planckFor(id: string): Engine {
  return (engine ??= found(id));
}

function found(id: string): Engine {
  // Environments are made at once, so the engine cannot be awaited; and a static import would be missed by who does without.
  const node = globalThis.process?.getBuiltinModule?.("node:module");
  if (!node)
    fail(
      id,
      'it needs planck. Run: npm install planck; then import * as planck from "planck" and usePlanck(planck).',
    );
  try {
    return node.createRequire(import.meta.url)("planck");
  } catch (error) {
    if ((error as { code?: unknown }).code !== "MODULE_NOT_FOUND") throw error;
    return fail(id, "planck is not installed. Run: npm install planck");
  }
}
