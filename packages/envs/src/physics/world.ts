import { box, type Rendering, type RenderShape, type TracedEnv } from "@reins/core";
import { clamp, mul, scalar, stack, type Tensor, zeros } from "@reins/tensor";
import { advance } from "./advance.ts";
import type { PlanarBody } from "./body.ts";
import type { Push } from "./dynamics.ts";
import { type LinkTree, treeOf } from "./link-tree.ts";
import { type Motion, motionOf, withSigns } from "./motion.ts";
import type { Num } from "./num.ts";
import { columnsOf, type Draw, drawFrom } from "./random-columns.ts";
import { bodyPicture, type View } from "./rendering.ts";
import { drawingAsText } from "./text.ts";

/** Physics parameters, as tensors: they may be learned, or differ between rows. */
export type PhysicsParams = {
  /** m/s². */
  gravity: Tensor;
  /** Friction factor of each contact. */
  friction: Tensor;
  /** Force factor of each motor. */
  strength: Tensor;
};

/** The state of an environment: coordinates and velocities, and the task's own state, each [rows]. */
export type WorldState = { q: readonly Tensor[]; v: readonly Tensor[]; goal: readonly Tensor[] };

/** A task on a body. */
export interface PlanarTask {
  readonly id: string;
  readonly body: PlanarBody;
  /** Gravity in m/s²; 0 if the plane is a table. */
  readonly gravity: number;
  /** Duration of a physics step in seconds, and physics steps per environment step. */
  readonly interval: number;
  readonly substeps: number;
  readonly maxSteps: number;
  readonly solvedAt?: number;
  /** Action size; the number of motors by default. */
  readonly actions?: number;
  /** Observation size. */
  readonly size: number;
  /** Labels of the observation and the action. */
  readonly labels: { readonly observation: readonly string[]; readonly action: readonly string[] };
  readonly view: View;
  /** The initial state of an episode. */
  begin(draw: Draw): WorldState;
  observe(state: WorldState, motion: Motion): readonly Tensor[];
  /** Reward of a step; `actions` are unclipped. */
  reward(before: WorldState, after: WorldState, actions: readonly Tensor[], motion: Motion): Tensor;
  ends?(after: WorldState): Tensor;
  /** Forces besides joints, gravity and ground; `actions` are clipped. */
  pushes?(motion: Motion, actions: readonly Tensor[], params: PhysicsParams): readonly Push[];
  /** Shapes drawn besides the body; `pixel` maps a world point to the image. */
  scenery?(
    goal: readonly number[],
    pixel: (x: number, z: number) => readonly [number, number],
    scale: number,
  ): RenderShape[];
}

/** Physics parameters as plain numbers. */
export interface PhysicsNumbers {
  readonly gravity?: number | undefined;
  readonly friction?: number | undefined;
  readonly strength?: number | undefined;
}

/** The default physics parameters of a task, with overrides. */
export const physicsParams = (
  task: { readonly gravity: number },
  { gravity = task.gravity, friction = 1, strength = 1 }: PhysicsNumbers = {},
): PhysicsParams => ({ gravity: scalar(gravity), friction: scalar(friction), strength: scalar(strength) });

/** A task with a planar body as an environment of tensor operations. */
export function planarWorld(
  task: PlanarTask,
  maxSteps = task.maxSteps,
): TracedEnv<PhysicsParams, WorldState> {
  const tree = treeOf(task.id, task.body);
  const actions = task.actions ?? tree.motors.length;
  const at = ({ q, v }: { q: readonly Num[]; v: readonly Num[] }) =>
    motionOf(tree, withSigns(tree, q), withSigns(tree, v));
  const picture = (state: WorldState, row: number): Rendering => {
    const of = (columns: readonly Tensor[]) => columns.map((column) => column.data[row]);
    const q = of(state.q);
    return bodyPicture(tree, at({ q, v: q }), task.view, (pixel, scale) =>
      task.scenery ? task.scenery(of(state.goal), pixel, scale) : [],
    );
  };
  return {
    spec: {
      id: task.id,
      observation: box([task.size]),
      action: box([actions], -1, 1),
      labels: task.labels,
      ...(maxSteps === Number.POSITIVE_INFINITY ? {} : { maxSteps }),
      ...(task.solvedAt === undefined ? {} : { solvedAt: task.solvedAt }),
    },
    rowKeys: true,
    reset: (_, rows, key) => task.begin(drawFrom(key, rows)),
    observe: (_, state) => stack(task.observe(state, at(state)), 1),
    step(params, state, action) {
      const given = columnsOf(action as Tensor);
      const kept = given.map((one) => clamp(one, -1, 1));
      const moved = advance(
        tree,
        state,
        {
          torques: torquesOf(tree, kept, params),
          gravity: params.gravity,
          friction: params.friction,
          ...(task.pushes ? { pushes: (motion) => task.pushes!(motion, kept, params) } : {}),
        },
        task.interval,
        task.substeps,
      );
      const after: WorldState = { ...moved, goal: state.goal };
      return {
        state: after,
        reward: task.reward(state, after, given, at(after)),
        terminated: task.ends?.(after) ?? zeros([given[0].shape[0]], "bool"),
      };
    },
    picture: (_, state, row) => picture(state, row),
    render: (_, state, row) => drawingAsText(picture(state, row)),
  };
}

/** The motor force on each coordinate. */
function torquesOf(tree: LinkTree, actions: readonly Tensor[], { strength }: PhysicsParams): Num[] {
  return tree.coordinates.map(({ gear }, i) =>
    gear === undefined ? 0 : mul(mul(actions[tree.motors.indexOf(i)], gear), strength),
  );
}
