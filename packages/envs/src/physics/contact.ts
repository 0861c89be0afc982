import { maximum, type Tensor } from "@reins/tensor";
import type { Push } from "./dynamics.ts";
import type { Coordinate, LinkTree } from "./link-tree.ts";
import { type Motion, pointOf } from "./motion.ts";
import { between, minus, type Num, over, plus, root, squared, times } from "./num.ts";

/** Activation of a spring at `depth`: its weight, from 0 to 1, and its effective depth. Smooth, and 0 outside. */
export function grip(depth: Num, skin: number): { readonly holds: Num; readonly deep: Num } {
  const holds = between(times(depth, 1 / skin), 0, 1);
  return { holds, deep: times(holds, minus(depth, times(holds, skin / 2))) };
}

/** The larger of a number and 0. */
export const positive = (a: Num): Num => (typeof a === "number" ? Math.max(a, 0) : maximum(a, 0));

/**
 * Ground forces; the ground is z = 0. A point that will be below it at the end of the step is pushed up by a
 * spring-damper, with Coulomb friction, which is proportional to the speed below `slip`. Both are linear in the
 * velocity at the end of the step, with the slope at its beginning: so long steps are stable, and everything is
 * differentiable.
 */
export function groundPushes(tree: LinkTree, motion: Motion, friction: Num, step: number): Push[] {
  const { stiffness, damping, skin, slip } = tree.softness;
  return tree.links.flatMap((link, k) =>
    (link.contacts ?? []).map((contact): Push => {
      const { arm, speed } = pointOf(motion, k, contact.at);
      const height = plus(motion.bases[k].z, motion.hinges[k].z, arm.z, -contact.radius);
      const { holds, deep } = grip(minus(0, plus(height, times(speed.z, step))), skin);
      // The damper never pulls down.
      const up = positive(minus(times(deep, stiffness), times(times(holds, damping), speed.z)));
      const rub = over(
        times(up, times(friction, contact.friction)),
        root(plus(squared(speed.x), slip * slip)),
      );
      return {
        link: k,
        arm,
        force: { x: minus(0, times(rub, speed.x)), z: up },
        resist: { x: times(rub, step), z: times(holds, step * (stiffness * step + damping)) },
      };
    }),
  );
}

/** The force of a joint's limits, and its velocity coefficient times the time step. */
export function stopsOf(
  tree: LinkTree,
  { range }: Coordinate,
  q: Tensor,
  v: Tensor,
  step: number,
): { readonly force: Num; readonly resist: Num } {
  if (!range) return { force: 0, resist: 0 };
  const { stopStiffness, stopDamping } = tree.softness;
  const next = plus(q, times(v, step));
  const low = grip(minus(range[0], next), stopSkin);
  const high = grip(minus(next, range[1]), stopSkin);
  const holds = plus(low.holds, high.holds);
  return {
    force: minus(times(minus(low.deep, high.deep), stopStiffness), times(times(holds, stopDamping), v)),
    resist: times(holds, step * (stopStiffness * step + stopDamping)),
  };
}

/** Angle over which a limit's force ramps up, in radians. */
const stopSkin = 0.01;
