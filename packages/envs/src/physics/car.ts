import { cos, lt, mul, sin, sub, type Tensor, tanh } from "@reins/tensor";
import type { Push } from "./dynamics.ts";
import { effort } from "./legged-robots.ts";
import { type Motion, pointOf } from "./motion.ts";
import {
  cosine,
  minus,
  moment,
  type Num,
  over,
  plus,
  root,
  scaled,
  shifted,
  sine,
  squared,
  times,
  type Vec,
} from "./num.ts";
import { fromDisc, goalShape, lengthOf } from "./table-top.ts";
import type { PlanarTask, WorldState } from "./world.ts";

const [mass, front, rear] = [1000, 1.2, 1.4];
/** Maximum wheel angle, engine force, and tyre grip in units of weight. */
const [steering, pull, grip, stiffness] = [0.5, 4, 0.9, 8];
const interval = 0.005;
const substeps = 10;

/**
 * The force of an axle: along the wheel the drive, across it the grip, which saturates with the slip (Pacejka's
 * idea, with a tanh).
 */
function axle(motion: Motion, at: number, load: number, turn: Num, drive: Num, friction: Num): Push {
  const { arm, speed } = pointOf(motion, 0, [at, 0]);
  const { s, c } = motion.turns[0];
  const [ts, tc] = [sine(turn), cosine(turn)];
  const along: Vec = { x: minus(times(c, tc), times(s, ts)), z: plus(times(s, tc), times(c, ts)) };
  const across: Vec = { x: minus(0, along.z), z: along.x };
  const dot = (u: Vec, w: Vec) => plus(times(u.x, w.x), times(u.z, w.z));
  const [ahead, aside] = [dot(speed, along), dot(speed, across)];
  // Near rest a slip angle is undefined: a little speed is added.
  const slip = over(aside, root(plus(squared(ahead), squared(aside), 0.25)));
  const hold = times(times(tanh(times(slip, stiffness) as Tensor), -grip * load), friction);
  return { link: 0, arm, force: shifted(scaled(along, drive), scaled(across, hold)) };
}

const away = ({ q, goal }: WorldState): Tensor => lengthOf({ x: sub(goal[0], q[0]), z: sub(goal[1], q[1]) });

/**
 * Drive to a place on open ground: steering and a pedal, on a bicycle model with sliding tyres. The reward of a
 * step is the approach in metres; the episode ends on arrival.
 */
export const planarCar: PlanarTask = {
  id: "PlanarCar-v0",
  body: {
    links: [
      {
        name: "car",
        mass,
        center: [0, 0],
        inertia: mass * front * rear,
        slideX: { damping: 20 },
        slideZ: { damping: 20 },
        hinge: { damping: 20 },
        shapes: [
          { from: [-rear, 0], to: [front, 0], radius: 0.8 },
          { from: [front, 0], to: [front + 1, 0], radius: 0.4 },
        ],
      },
    ],
  },
  gravity: 0,
  interval,
  substeps,
  maxSteps: 300,
  actions: 2,
  size: 7,
  labels: {
    observation: [
      ...["goal ahead", "goal to the left", "speed ahead", "speed to the left"],
      ...["spin", "cos heading", "sin heading"],
    ],
    action: ["steering", "pedal"],
  },
  view: { across: 60, middle: [0, 0] },
  begin: (draw) => ({
    q: [...draw.uniform(2, -1, 1), draw.uniform(1, -Math.PI, Math.PI)[0]],
    v: draw.uniform(3, -0.1, 0.1),
    goal: fromDisc(draw, 20),
  }),
  observe(state) {
    const { q, v, goal } = state;
    const ahead: Vec = { x: cos(q[2]), z: sin(q[2]) };
    const to: Vec = { x: mul(sub(goal[0], q[0]), 0.1), z: mul(sub(goal[1], q[1]), 0.1) };
    const dot = (u: Vec, w: Vec) => plus(times(u.x, w.x), times(u.z, w.z)) as Tensor;
    const speed: Vec = { x: mul(v[0], 0.1), z: mul(v[1], 0.1) };
    return [
      dot(to, ahead),
      moment(ahead, to) as Tensor,
      dot(speed, ahead),
      moment(ahead, speed) as Tensor,
      v[2],
      cos(q[2]),
      sin(q[2]),
    ];
  },
  pushes(motion, [steer, pedal], { strength, friction }) {
    const weight = mass * 9.81;
    const drive = times(mul(pedal, pull * mass), strength);
    const turn = mul(steer, steering);
    return [
      axle(motion, front, (weight * rear) / (front + rear), turn, 0, friction),
      axle(motion, -rear, (weight * front) / (front + rear), 0, drive, friction),
    ];
  },
  reward: (before, after, actions) => sub(sub(away(before), away(after)), mul(effort(actions), 0.005)),
  ends: (after) => lt(away(after), 1.5),
  scenery: ([x, z], pixel, scale) => [goalShape(pixel(x, z), 1.5 * scale)],
};
