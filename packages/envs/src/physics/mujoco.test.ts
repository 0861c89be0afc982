import { expect, test } from "vitest";
import { halfCheetah } from "../mujoco/half-cheetah.ts";
import { hopper } from "../mujoco/hopper.ts";
import { reacher } from "../mujoco/reacher.ts";
import { Simulation } from "../mujoco/simulation.ts";
import { hasMujoco } from "../mujoco/testing.ts";
import { walker2d } from "../mujoco/walker2d.ts";
import { cheetahBody } from "./cheetah-body.ts";
import { hopperBody, walkerBody } from "./legged-body.ts";
import { planarReacher } from "./table-top.ts";
import { hold } from "./testing.ts";

const here = await hasMujoco();

// High above the ground, with joints away from their limits. The cheetah's model is integrated by MuJoCo as by us,
// the others by fourth-order Runge-Kutta, from which our steps differ by their length.
test.runIf(here).each([
  ["HalfCheetah-v5", halfCheetah().model(), cheetahBody, 0.1, 0.01, 5, 2e-5],
  ["Hopper-v5", hopper().model(), hopperBody, 0.1, 0.004, 2, 0.02],
  ["Walker2d-v5", walker2d().model(), walkerBody, 0.003, 0.004, 2, 0.02],
  ["Hopper-v5, short steps", hopper().model(), hopperBody, 0.1, 0.0005, 16, 0.0025],
  ["Walker2d-v5, short steps", walker2d().model(), walkerBody, 0.003, 0.0005, 16, 0.0025],
  ["Reacher-v5, short steps", reacher().model(), planarReacher.body, 0.02, 0.0005, 40, 5e-4],
] as const)("moves as MuJoCo's %s while it touches nothing", (_, model, body, push, step, steps, bound) => {
  const simulation = new Simulation("test", model);
  const { qpos, qvel, ctrl } = simulation.arrays;
  const flat = body === planarReacher.body;
  const held = hold(body, { q: [], v: [], gravity: flat ? 0 : 9.81, step, steps });
  const { coordinates, motors } = held.tree;
  coordinates.forEach(({ range = [-1, 1] }, i) => {
    qpos[i] = (range[0] + range[1]) / 2 + 0.1 * Math.sin(i);
    qvel[i] = 0.5 * Math.cos(3 * i);
  });
  if (!flat) qpos[1] = 20;
  held.q = [...qpos.subarray(0, coordinates.length)];
  held.v = [...qvel.subarray(0, coordinates.length)];
  let worst = 0;
  for (let t = 0; t * step * steps < 0.5; t++) {
    ctrl.forEach((_, i) => {
      ctrl[i] = push * Math.sin(t / 4 + i);
    });
    simulation.advance(Math.round((step * steps) / simulation.timestep));
    held.go(coordinates.map(({ gear = 0 }, i) => gear * (ctrl[motors.indexOf(i)] ?? 0)));
    coordinates.forEach((_, i) => {
      worst = Math.max(worst, Math.abs(held.q[i] - qpos[i]), Math.abs(held.v[i] - qvel[i]));
    });
  }
  expect(worst).toBeLessThan(bound);
});
