import { defaultRng } from "@reins/core/random";
import * as planck from "planck";
import { afterEach, describe, expect, test, vi } from "vitest";
import { make, makeSingle } from "../registry.ts";
import { Lidar, rays, reach } from "./lidar.ts";
import { quickJoint } from "./quick-joint.ts";
import { usePlanck } from "./use-planck.ts";
import { drawTerrain } from "./walker-terrain.ts";

/** Two rods that swing into their limits, with motors, joined by `Joint`. */
function swing(Joint: new (def: planck.RevoluteJointDef) => planck.RevoluteJoint): number[] {
  const world = new planck.World({ gravity: { x: 0, y: -10 } });
  let bodyA = world.createBody();
  const rods = [0, 1].map((i) => {
    const bodyB = world.createBody({ type: "dynamic", position: { x: i, y: -1 }, angle: 0.3 * i });
    bodyB.createFixture({ shape: new planck.Box(0.1, 0.5), density: 1 });
    const limits = { enableMotor: true, enableLimit: true, lowerAngle: -0.2, upperAngle: 0.1 + i };
    const drive = { maxMotorTorque: 3, motorSpeed: 2 - 4 * i };
    const anchors = { localAnchorA: { x: i, y: 0 }, localAnchorB: { x: 0, y: 0.5 } };
    world.createJoint(new Joint({ bodyA, bodyB, ...anchors, ...limits, ...drive }));
    bodyA = bodyB;
    return bodyB;
  });
  return Array.from({ length: 200 }, () => {
    world.step(1 / 50, 20, 10);
    return rods.flatMap((rod) => [rod.getAngle(), rod.getPosition().x, rod.getPosition().y]);
  }).flat();
}

test("the fast joint is bit-identical to planck's", () => {
  const quick = quickJoint(planck);
  expect(quick).not.toBe(planck.RevoluteJoint);
  expect(swing(quick)).toEqual(swing(planck.RevoluteJoint));
});

test("rays have the lengths of the engine's", () => {
  const at = ([x, y]: readonly [number, number]) => ({ x, y });
  for (const seed of [1, 2, 3]) {
    const random = defaultRng(seed);
    const terrain = drawTerrain(random, true);
    const ground = new planck.World().createBody();
    for (const block of terrain.blocks) ground.createFixture(new planck.Polygon(block.map(at)));
    for (let i = 1; i < terrain.points.length; i++)
      ground.createFixture(new planck.Edge(at(terrain.points[i - 1]), at(terrain.points[i])));
    const lidar = new Lidar(terrain);
    for (let n = 0; n < 200; n++) {
      const from = { x: random.uniform(0, 90), y: random.uniform(3, 9) };
      lidar.from(from.x, from.y);
      for (let ray = 0; ray < rays; ray++) {
        let share = 1;
        const turn = 0.15 * ray;
        const to = { x: from.x + Math.sin(turn) * reach, y: from.y - Math.cos(turn) * reach };
        ground.getWorld().rayCast(from, to, (_fixture, _point, _normal, fraction) => {
          share = fraction;
          return fraction;
        });
        expect(Math.abs(lidar.shares[ray] - share)).toBeLessThan(1e-9);
      }
    }
  }
});

describe("the engine", () => {
  afterEach(() => void vi.unstubAllGlobals());

  test.each([
    [
      "not installed",
      () => ({ createRequire: () => () => fail() }),
      "planck is not installed. Run: npm install planck",
    ],
    ["in a browser", undefined, "usePlanck(planck)"],
  ])("%s: explains what to do", async (_, getBuiltinModule, words) => {
    vi.resetModules();
    const { planckFor } = await import("./planck.ts");
    vi.stubGlobal("process", { getBuiltinModule });
    expect(() => planckFor("LunarLander-v3")).toThrow(words);
  });

  const fail = () => {
    throw Object.assign(new Error("no planck"), { code: "MODULE_NOT_FOUND" });
  };

  test("can be passed, and is validated", () => {
    usePlanck(planck);
    expect(() => usePlanck({})).toThrow("pass the module");
  });
});

describe("wind", () => {
  const end = (options: object) => {
    const env = makeSingle("LunarLander-v3", options);
    env.reset({ seed: 1 });
    for (let t = 0; ; t++) {
      const { observation, terminated } = env.step(0);
      if (terminated || t === 40) return (observation as Float32Array)[0];
    }
  };
  test("moves a lander in proportion to its power", () => {
    expect(end({ wind: true, windPower: 0, turbulencePower: 0 })).not.toBe(end({ wind: true }));
    expect(end({ wind: true })).toBe(end({ wind: true, windPower: 15 }));
  });
});

test("contexts change gravity; values out of range are rejected", () => {
  const env = make("LunarLander-v3");
  const fall = (gravity: number) => {
    env.reset({ seed: 1, context: { gravity } });
    return env.observation;
  };
  const [moon, earth] = [-1.6, -9.8].map((g) => [...(fall(g) as { data: Float32Array }).data]);
  expect(moon[3]).toBeGreaterThan(earth[3]);
  expect(() => make("LunarLander-v3", { gravity: 1 })).toThrow("gravity is 1; it must be between -12 and 0.");
});

test("a lander above the view is rendered zoomed out", () => {
  const env = makeSingle("LunarLander-v3");
  env.reset({ seed: 1 });
  let highest = 0;
  for (let t = 0; t < 120; t++) {
    const { observation, terminated } = env.step(2);
    if (terminated) break;
    const { width, height, shapes } = env.picture!();
    highest = Math.max(highest, (observation as Float32Array)[1]);
    const lander = shapes.at(-1);
    for (const [x, y] of lander?.kind === "polygon" ? lander.points : [])
      expect(x >= 0 && x <= width && y >= 0 && y <= height, `step ${t}: ${x}, ${y}`).toBe(true);
  }
  expect(highest).toBeGreaterThan(1.5);
});
