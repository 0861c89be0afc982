import { compile, type Tensor, tensor } from "@reins/tensor";
import { expect, test } from "vitest";
import { halfCheetah } from "../mujoco/half-cheetah.ts";
import { Simulation } from "../mujoco/simulation.ts";
import { hasMujoco } from "../mujoco/testing.ts";
import { advance } from "./advance.ts";
import { cheetahBody } from "./cheetah-body.ts";
import { treeOf } from "./link-tree.ts";

const here = await hasMujoco();

test.runIf(here)("the cheetah falls as MuJoCo's, while it touches nothing", () => {
  const simulation = new Simulation("cheetah", halfCheetah().model());
  const tree = treeOf("cheetah", cheetahBody);
  const { qpos, qvel, ctrl } = simulation.arrays;
  for (let i = 0; i < 9; i++) {
    qpos[i] = 0.1 * Math.sin(i);
    qvel[i] = Math.cos(3 * i);
  }
  qpos[1] = 20;
  const column = (x: number) => tensor([x]);
  let q = [...qpos].map(column);
  let v = [...qvel].map(column);
  const step = compile((q: Tensor[], v: Tensor[], a: Tensor[]) =>
    advance(
      tree,
      { q, v },
      {
        torques: tree.coordinates.map((c, i) => (c.gear ? a[tree.motors.indexOf(i)].mul(c.gear) : 0)),
        gravity: 9.81,
        friction: 1,
      },
      0.01,
      5,
    ),
  );
  let worst = 0;
  for (let t = 0; t < 20; t++) {
    for (let i = 0; i < 6; i++) ctrl[i] = 0.2 * Math.sin(t + i);
    const next = step(q, v, [...ctrl].map(column));
    simulation.advance(5);
    q = [...next.q] as Tensor[];
    v = [...next.v] as Tensor[];
    for (let i = 0; i < 9; i++)
      worst = Math.max(worst, Math.abs(q[i].data[0] - qpos[i]), Math.abs(v[i].data[0] - qvel[i]));
  }
  console.log(worst, q.map((t) => t.data[0].toFixed(4)).join(" "), [...qpos].map((x) => x.toFixed(4)).join(" "));
  expect(worst).toBeLessThan(1e-3);
});
