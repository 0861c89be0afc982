import { compile, type Tensor, tensor } from "@reins/tensor";
import { advance, type Drive } from "./advance.ts";
import type { PlanarBody } from "./body.ts";
import { type LinkTree, treeOf } from "./link-tree.ts";
import { type Motion, motionOf, placeOf, pointOf, withSigns } from "./motion.ts";

/** A body with plain-number coordinates, for tests. */
export interface Held {
  readonly tree: LinkTree;
  q: number[];
  v: number[];
  /** Advances under forces on the coordinates. */
  go(torques?: readonly number[]): void;
  motion(): Motion;
}

/** A body that each call advances by `steps` of `step` seconds. */
export function hold(
  body: PlanarBody,
  {
    q,
    v,
    gravity = 9.81,
    step,
    steps,
  }: { q: number[]; v: number[]; gravity?: number; step: number; steps: number },
): Held {
  const tree = treeOf("test", body);
  const drive = (torques: readonly Tensor[]): Drive => ({ torques, gravity, friction: 1 });
  const move = compile((now: { q: Tensor[]; v: Tensor[] }, torques: Tensor[]) =>
    advance(tree, now, drive(torques), step, steps),
  );
  const columns = (numbers: readonly number[]) => numbers.map((x) => tensor([x]));
  return {
    tree,
    q,
    v,
    go(torques = tree.coordinates.map(() => 0)) {
      const next = move({ q: columns(this.q), v: columns(this.v) }, columns(torques));
      this.q = next.q.map((x) => x.data[0]);
      this.v = next.v.map((x) => x.data[0]);
    },
    motion() {
      return motionOf(tree, withSigns(tree, this.q), withSigns(tree, this.v));
    },
  };
}

/** Kinetic and potential energy. */
export function energyOf(held: Held, gravity: number): number {
  const motion = held.motion();
  return held.tree.links.reduce((sum, { mass, inertia, center }, k) => {
    const { speed } = pointOf(motion, k, center);
    const spin = motion.spins[k] as number;
    const moving = (speed.x as number) ** 2 + (speed.z as number) ** 2;
    const height = placeOf(motion, k, center).z as number;
    return sum + (mass * moving) / 2 + (inertia * spin * spin) / 2 + mass * gravity * height;
  }, 0);
}

/** Depth of the deepest contact in the ground, in metres. */
export function depthOf(held: Held): number {
  const motion = held.motion();
  const depths = held.tree.links.flatMap(({ contacts = [] }, k) =>
    contacts.map(({ at, radius }) => radius - (placeOf(motion, k, at).z as number)),
  );
  return Math.max(...depths);
}
