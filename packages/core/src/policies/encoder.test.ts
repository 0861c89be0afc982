import { compile, random, type Tree, zeros } from "@reins/tensor";
import { expect, it } from "vitest";
import { box, dict, discrete, image, tuple } from "../space.ts";
import { columns } from "../spaces/layout.ts";
import { actorCritic } from "./actor-critic.ts";
import { encoderFor } from "./encoder.ts";

it("vectors and small images are laid out flat, with nothing to learn", () => {
  const plain = encoderFor(dict({ a: box([3]), b: discrete(4), c: image(4, 4, 1) }));
  expect(plain.features).toBe(3 + 4 + 16);
  expect(plain.init).toBeUndefined();
  const small = encoderFor(image(8, 8, 3));
  expect(small.features).toBe(192);
});

it("large images are looked at, beside other parts and over time", () => {
  const space = dict({ eyes: image(36, 40, 3), rest: tuple(box([2]), discrete(3)) });
  const encoder = encoderFor(space);
  expect(encoder.features).toBe(512 + 5);
  const params = encoder.init!(random.key(0));
  const apply = compile((x: Tree, y: Tree) => [encoder.apply(params, x, 1), encoder.apply(params, y, 2)], {
    backend: "wasm",
  });
  const wide = {
    eyes: zeros([2, 3, 36, 40, 3], "u8"),
    rest: [zeros([2, 3, 2]), zeros([2, 3], "i32")],
  };
  const [flat, overTime] = apply(columns(space, 2), wide);
  expect(flat.shape).toEqual([2, 517]);
  expect(overTime.shape).toEqual([2, 3, 517]);
});

it("an actor-critic on images learns what it looks at", () => {
  const spec = { id: "Test-v0", observation: image(36, 36, 1), action: discrete(2) };
  const policy = actorCritic(spec, { hidden: [16] });
  const weights = policy.init(random.key(1));
  expect(Object.keys(weights)).toContain("encoder");
  const observation = zeros([2, 36, 36, 1], "u8").set(100);
  expect(policy.act(weights, { observation }, {}, random.key(2)).action).toMatchObject({ shape: [2] });
});
