import { box, type Rendering, type TracedEnv } from "@reins/core";
import { add, clamp, div, gt, mul, ones, scan, stack, sub, type Tensor, zeros } from "@reins/tensor";
import { axes } from "../body-labels.ts";
import { effort } from "./legged-robots.ts";
import { minus, type Num, plus, squared, times } from "./num.ts";
import { columnsOf, drawFrom } from "./random-columns.ts";
import { stick } from "./rendering.ts";
import { matrixOf, type Quaternion, reached, spunUp, type Triple, turnedOn } from "./rigid-body.ts";
import { drawingAsText } from "./text.ts";
import type { PhysicsParams, WorldState } from "./world.ts";

const [mass, arm, gravity] = [0.5, 0.17, 9.81];
const inertia = [0.004, 0.004, 0.007] as const;
/** Ratio of a propeller's reaction torque to its thrust; and the air drag. */
const [yaw, airDrag, spinDrag] = [0.016, 0.05, 0.001];
const [interval, substeps] = [0.01, 2];
/** Positions of the propellers, in arm lengths, and the sign of their reaction torque. */
const propellers = [
  [1, 1, 1],
  [-1, 1, -1],
  [-1, -1, 1],
  [1, -1, -1],
] as const;
const side = arm * Math.SQRT1_2;

/** Position, rotation, velocity and spin of the craft. */
interface Flight {
  readonly at: Triple;
  readonly turn: Quaternion;
  readonly speed: Triple;
  readonly spin: Triple;
}

const flightOf = ({ q, v }: { readonly q: readonly Num[]; readonly v: readonly Num[] }): Flight => ({
  at: [q[0], q[1], q[2]],
  turn: [q[3], q[4], q[5], q[6]],
  speed: [v[0], v[1], v[2]],
  spin: [v[3], v[4], v[5]],
});

/** One substep under the thrust of each propeller. */
function flown({ at, turn, speed, spin }: Flight, thrusts: readonly Num[], pull: Num): Flight {
  const turning: Triple = [
    plus(...thrusts.map((f, i) => times(f, propellers[i][1] * side))),
    plus(...thrusts.map((f, i) => times(f, -propellers[i][0] * side))),
    plus(...thrusts.map((f, i) => times(f, propellers[i][2] * yaw))),
  ];
  const up = matrixOf(turn).map((row) => row[2]);
  const lift = times(plus(...thrusts), 1 / mass);
  const gained: Triple = [
    minus(times(up[0], lift), times(speed[0], airDrag / mass)),
    minus(times(up[1], lift), times(speed[1], airDrag / mass)),
    minus(minus(times(up[2], lift), pull), times(speed[2], airDrag / mass)),
  ];
  const faster = reached(speed, gained, interval);
  const spun = spunUp(spin, inertia, reached(turning, spin, -spinDrag), interval);
  return {
    at: reached(at, faster, interval),
    turn: turnedOn(turn, spun, interval),
    speed: faster,
    spin: spun,
  };
}

const distanceSquared = ({ q, goal }: WorldState): Tensor =>
  plus(...goal.map((to, i) => squared(sub(to, q[i])))) as Tensor;

/**
 * Fly to a point in space and hover there with four propellers. As with `PlanarQuadrotor-v0`, an action of 0 is
 * the hover thrust, the reward of a step is up to 1 for being near and upright, and the episode ends 3 m away.
 * Observations are the vector to the goal, the velocity, the rotation matrix and the spin in the body frame.
 */
export function quadrotor(maxSteps = 250): TracedEnv<PhysicsParams, WorldState> {
  return {
    spec: {
      id: "Quadrotor-v0",
      observation: box([18]),
      action: box([4], -1, 1),
      labels: {
        observation: [
          ...axes.map((axis) => `goal offset ${axis}`),
          ...axes.map((axis) => `${axis} velocity`),
          ...axes.flatMap((row) => axes.map((column) => `rotation ${row}${column}`)),
          ...axes.map((axis) => `angular velocity ${axis}`),
        ],
        action: ["front left thrust", "back left thrust", "back right thrust", "front right thrust"],
      },
      ...(maxSteps === Number.POSITIVE_INFINITY ? {} : { maxSteps }),
    },
    rowKeys: true,
    reset(_, rows, key) {
      const { uniform } = drawFrom(key, rows);
      const turn = turnedOn([ones([rows]), ...nothing(rows)], triple(uniform(3, -0.3, 0.3)), 1);
      return {
        q: [...uniform(3, -0.7, 0.7), ...(turn as readonly Tensor[])],
        v: uniform(6, -0.1, 0.1),
        goal: uniform(3, -0.7, 0.7),
      };
    },
    observe: (_, { q, v, goal }) =>
      stack([...goal.map((to, i) => sub(to, q[i])), ...v.slice(0, 3), ...matrix(q), ...v.slice(3)], 1),
    step(params, state, action) {
      const given = columnsOf(action as Tensor);
      const thrusts = given.map((one) =>
        mul(mul(add(clamp(one, -1, 1), 1), (mass * gravity) / 4), params.strength),
      );
      const { carry } = scan(
        (now: { q: readonly Tensor[]; v: readonly Tensor[] }, _: undefined) => {
          const { at, turn, speed, spin } = flown(flightOf(now), thrusts, params.gravity);
          return [
            { q: [...at, ...turn] as Tensor[], v: [...speed, ...spin] as Tensor[] },
            undefined,
          ] as const;
        },
        { q: state.q, v: state.v },
        undefined,
        { length: substeps },
      );
      const after: WorldState = { ...carry, goal: state.goal };
      const far = distanceSquared(after);
      const upright = mul(add(matrix(after.q)[8], 1), 0.5);
      return {
        state: after,
        reward: sub(div(upright, add(far, 1)), mul(effort(given), 0.01)),
        terminated: gt(far, 9),
      };
    },
    picture: (_, state, row) => picture(state, row),
    render: (_, state, row) => drawingAsText(picture(state, row)),
  };
}

const nothing = (rows: number): readonly [Tensor, Tensor, Tensor] => [
  zeros([rows]),
  zeros([rows]),
  zeros([rows]),
];
const triple = ([a, b, c]: readonly Tensor[]): Triple => [a, b, c];
const matrix = (q: readonly Tensor[]): Tensor[] => matrixOf([q[3], q[4], q[5], q[6]]).flat() as Tensor[];

/** The craft seen from slightly above the side: farther points are higher. */
function picture({ q, goal }: WorldState, row: number): Rendering {
  const [width, height, scale] = [480, 270, 80];
  const pixel = (x: number, y: number, z: number): readonly [number, number] => [
    width / 2 + (x + 0.3 * y) * scale,
    height / 2 - (z + 0.3 * y) * scale,
  ];
  const numbers = q.map((column) => column.data[row]);
  const { at, turn } = flightOf({ q: numbers, v: numbers });
  const rows = matrixOf(turn).map((one) => one.map(Number));
  const [x, y, z] = at.map(Number);
  const tips = propellers.map(([a, b]) => {
    const [dx, dy, dz] = rows.map(([along, across]) => (along * a + across * b) * side);
    return pixel(x + dx, y + dy, z + dz);
  });
  const [gx, gy, gz] = goal.map((column) => column.data[row]);
  return {
    width,
    height,
    shapes: [
      { kind: "circle", center: pixel(gx, gy, gz), radius: 6, color: "#cf222e" },
      ...stick(tips[0], tips[2], 3, "#0969da"),
      ...stick(tips[1], tips[3], 3, "#0969da"),
      // The front propellers are marked, to show the heading.
      ...[tips[0], tips[3]].map(
        (center) => ({ kind: "circle", center, radius: 5, color: "#bc4c00" }) as const,
      ),
    ],
  };
}
