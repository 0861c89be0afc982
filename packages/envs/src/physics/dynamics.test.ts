import { describe, expect, it } from "vitest";
import type { PlanarBody } from "./body.ts";
import { cheetahBody } from "./cheetah-body.ts";
import { hopperBody, walkerBody } from "./legged-body.ts";
import { treeOf } from "./link-tree.ts";
import { depthOf, energyOf, hold } from "./testing.ts";

const rod = (name: string, parent?: string, at?: readonly [number, number]) => ({
  name,
  ...(parent ? { parent } : {}),
  ...(at ? { at } : {}),
  mass: 1,
  center: [0, -0.3] as const,
  inertia: 0.03,
  hinge: {},
});

describe("a body without contact", () => {
  // Semi-implicit Euler has a first-order error, which oscillates; single precision adds 1e-6 of the whole per
  // second.
  it.each([
    [1, 0.02],
    [0.25, 0.005],
  ])(
    "conserves its energy: in 5 s of a tumbling tree with steps of %d ms, within %d of the kinetic energy",
    (ms, share) => {
      const tree: PlanarBody = {
        links: [rod("a"), rod("b", "a", [0, -0.6]), rod("c", "b", [0, -0.6]), rod("d", "a", [0.1, -0.6])],
      };
      const held = hold(tree, { q: [0.8, 0.3, -0.2, 0.5], v: [0, 0, 0, 0], step: ms / 1000, steps: 50 / ms });
      const before = energyOf(held, 9.81);
      let [off, moving] = [0, 0];
      for (let t = 0; t < 100; t++) {
        held.go();
        off = Math.max(off, Math.abs(energyOf(held, 9.81) - before));
        moving = Math.max(moving, energyOf(held, 0));
      }
      expect(off / moving).toBeLessThan(share);
    },
  );

  it("swings as a pendulum: its period follows the formula within 0.1 %", () => {
    const held = hold({ links: [rod("a")] }, { q: [0.05], v: [0], step: 0.001, steps: 1 });
    // About the hinge: 0.03 + 1 · 0.3²; small swings.
    const period = 2 * Math.PI * Math.sqrt(0.12 / (9.81 * 0.3));
    let crossings = 0;
    let last = 0;
    for (let t = 1; crossings < 4; t++) {
      const before = held.q[0];
      held.go();
      if (before > 0 !== held.q[0] > 0) {
        crossings++;
        last = (t - 1 + before / (before - held.q[0])) * 0.001;
      }
    }
    expect(last / (1.75 * period)).toBeGreaterThan(0.999);
    expect(last / (1.75 * period)).toBeLessThan(1.001);
  });
});

describe("a body on the ground", () => {
  it.each([
    ["cheetah", cheetahBody, 0, 0.01],
    ["hopper", hopperBody, 1.3, 0.004],
    ["walker", walkerBody, 1.3, 0.004],
  ] as const)("the %s comes to rest, at most 6 mm deep", (_, body, height, step) => {
    const coordinates = treeOf("", body).coordinates.length;
    const q = Array.from({ length: coordinates }, (_, i) => (i === 1 ? height : 0));
    const held = hold(body, { q, v: q.map(() => 0), step, steps: 10 / step });
    held.go();
    expect(depthOf(held)).toBeGreaterThan(0.001);
    expect(depthOf(held)).toBeLessThan(0.006);
    expect(Math.max(...held.v.map(Math.abs))).toBeLessThan(0.01);
  });

  it("slides as far as Coulomb's friction allows, within 5 %", () => {
    const touching = [-0.2, 0.2].map((x) => ({ at: [x, 0] as const, radius: 0, friction: 0.5 }));
    const block: PlanarBody = {
      links: [
        {
          name: "block",
          mass: 2,
          center: [0, 0.02],
          inertia: 0.05,
          slideX: {},
          slideZ: {},
          hinge: {},
          contacts: touching,
        },
      ],
    };
    const held = hold(block, { q: [0, 0, 0], v: [3, 0, 0], step: 0.005, steps: 100 });
    for (let t = 0; t < 4; t++) held.go();
    const expected = 9 / (2 * 0.5 * 9.81);
    expect(held.q[0] / expected).toBeGreaterThan(0.95);
    expect(held.q[0] / expected).toBeLessThan(1.05);
  });
});

it("a limit holds a joint that is pushed: no further than its spring gives", () => {
  const body: PlanarBody = {
    links: [{ ...rod("a"), hinge: { range: [-0.5, 0.5], damping: 0.1 } }],
    softness: { stopStiffness: 500, stopDamping: 5 },
  };
  const held = hold(body, { q: [0], v: [0], gravity: 0, step: 0.01, steps: 100 });
  for (let t = 0; t < 3; t++) held.go([20]);
  expect(held.q[0]).toBeCloseTo(0.5 + 20 / 500 + 0.005, 3);
  for (let t = 0; t < 3; t++) held.go([-20]);
  expect(held.q[0]).toBeCloseTo(-0.5 - 20 / 500 - 0.005, 3);
});

it("rejects bodies that are not trees", () => {
  expect(() => treeOf("Body", { links: [rod("a", "b"), rod("b")] })).toThrow(
    'Body: link "a" has the parent "b", which is not listed before it.',
  );
  expect(() => treeOf("Body", { links: [rod("a"), { ...rod("b", "a"), slideX: {} }] })).toThrow(
    'link "b" has a parent, so it needs a hinge and cannot slide.',
  );
});
