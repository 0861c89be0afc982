import { scan, type Tensor } from "@reins/tensor";
import { groundPushes, stopsOf } from "./contact.ts";
import { dynamicsOf, type Push } from "./dynamics.ts";
import type { LinkTree } from "./link-tree.ts";
import { type Motion, motionOf, withSigns } from "./motion.ts";
import { minus, type Num, plus, times } from "./num.ts";
import { solveTree } from "./solve.ts";

/** Positions and velocities of all coordinates, each [rows]. */
export type BodyState = { readonly q: readonly Tensor[]; readonly v: readonly Tensor[] };

/** Actuation of a body for a while. */
export interface Drive {
  /** Force or torque on each coordinate, in its own sense. */
  readonly torques: readonly Num[];
  readonly gravity: Num;
  /** Friction factor of each contact. */
  readonly friction: Num;
  /** Other forces on links. */
  pushes?(motion: Motion): readonly Push[];
}

/**
 * One physics substep: velocities first, then positions (semi-implicit Euler). Joint damping, joint limits and the
 * ground are integrated implicitly, as by MuJoCo's Euler. Coordinates are counterclockwise here.
 */
function substep(tree: LinkTree, q: readonly Tensor[], v: readonly Tensor[], drive: Drive, step: number) {
  const motion = motionOf(tree, q, v);
  const pushes = [
    ...groundPushes(tree, motion, drive.friction, step),
    ...(drive.pushes ? drive.pushes(motion) : []),
  ];
  const { matrix, bias } = dynamicsOf(tree, motion, drive.gravity, pushes);
  const forces = tree.coordinates.map((coordinate, i) => {
    const { damping = 0, stiffness = 0 } = coordinate;
    const stops = stopsOf(tree, coordinate, q[i], v[i], step);
    matrix[i][i] = plus(matrix[i][i], step * damping, stops.resist);
    const passive = plus(stops.force, times(q[i], -stiffness), times(v[i], -damping));
    return minus(plus(drive.torques[i], passive), bias[i]);
  });
  const chains = tree.coordinates.map((coordinate) => coordinate.ancestors);
  const gained = solveTree(chains, matrix, forces);
  const speeds = v.map((old, i) => plus(old, times(gained[i], step)) as Tensor);
  return { q: q.map((old, i) => plus(old, times(speeds[i], step)) as Tensor), v: speeds };
}

/** Moves a body for `steps` substeps of `step` seconds each, as one loop of one kernel. */
export function advance(
  tree: LinkTree,
  state: BodyState,
  drive: Drive,
  step: number,
  steps: number,
): BodyState {
  const upright = counterclockwise(tree);
  const turnedDrive = { ...drive, torques: withSigns(tree, drive.torques) };
  const own = (numbers: readonly Tensor[]) => withSigns(tree, numbers) as Tensor[];
  const { carry } = scan(
    (now: { q: Tensor[]; v: Tensor[] }, _: undefined) =>
      [substep(upright, now.q, now.v, turnedDrive, step), undefined] as const,
    { q: own(state.q), v: own(state.v) },
    undefined,
    { length: steps },
  );
  return { q: own(carry.q), v: own(carry.v) };
}

/** The tree with counterclockwise ranges. */
function counterclockwise(tree: LinkTree): LinkTree {
  return {
    ...tree,
    coordinates: tree.coordinates.map(({ axis, range, ...rest }) => ({
      ...rest,
      ...(range ? { range: axis === -1 ? ([-range[1], -range[0]] as const) : range } : {}),
    })),
  };
}
