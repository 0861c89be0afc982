import { compile, leaves, random, type Tree, zeros } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { box, dict, discrete, image, list, type Space, text, tuple, type Value } from "../space.ts";
import { columns } from "../spaces/layout.ts";
import { write } from "../spaces/write.ts";
import { actorCritic } from "./actor-critic.ts";
import { encoderFor } from "./encoder.ts";

/** Features of values of a space, compiled. */
function features(space: Space, ...values: Value[]): number[][] {
  const encoder = encoderFor(space);
  const params = encoder.init?.(random.key(3));
  const seen = columns(space, values.length);
  values.forEach((value, row) => void write(space, seen, row, value));
  const apply = compile((x: Tree) => encoder.apply(params, x, 1), { backend: "wasm" });
  return apply(seen).toArray() as number[][];
}

it("vectors, choices and short lists are flattened, without parameters", () => {
  const plain = encoderFor(dict({ a: box([3]), b: discrete(4), c: list(discrete(5), 2) }));
  expect(plain.features).toBe(3 + 4 + 11);
  expect(plain.init).toBeUndefined();
});

it("images are encoded, with other parts and over time", () => {
  const space = dict({ eyes: image(36, 40, 3), map: image(10, 10, 4), rest: tuple(box([2]), discrete(3)) });
  const encoder = encoderFor(space);
  expect(encoder.features).toBe(512 + 128 + 5);
  const params = encoder.init?.(random.key(0));
  const apply = compile((x: Tree, y: Tree) => [encoder.apply(params, x, 1), encoder.apply(params, y, 2)], {
    backend: "wasm",
  });
  const wide = {
    eyes: zeros([2, 3, 36, 40, 3], "u8"),
    map: zeros([2, 3, 10, 10, 4], "u8"),
    rest: [zeros([2, 3, 2]), zeros([2, 3], "i32")],
  };
  const [flat, overTime] = apply(columns(space, 2), wide);
  expect(flat.shape).toEqual([2, 645]);
  expect(overTime.shape).toEqual([2, 3, 645]);
});

describe("small images", () => {
  it.each([
    [1, 1, 1, [[16, 1, 3, 3]]],
    [3, 3, 2, [[16, 2, 3, 3]]],
    [10, 10, 7, [[16, 7, 3, 3]]],
    [
      1,
      40,
      1,
      [
        [16, 1, 3, 3],
        [32, 16, 3, 3],
        [64, 32, 3, 3],
      ],
    ],
    [
      35,
      35,
      3,
      [
        [16, 3, 3, 3],
        [32, 16, 3, 3],
        [64, 32, 3, 3],
      ],
    ],
    [
      84,
      5,
      1,
      [
        [16, 1, 3, 3],
        [32, 16, 3, 3],
        [64, 32, 3, 3],
        [64, 64, 3, 3],
        [64, 64, 3, 3],
      ],
    ],
  ])("%i × %i × %i", (height, width, channels, expected) => {
    const space = image(height, width, channels);
    const windows = leaves(encoderFor(space).init?.(random.key(0))).filter((t) => t.rank === 4);
    expect(windows.map((t) => t.shape)).toEqual(expected);
    const bright = new Uint8Array(height * width * channels).fill(255);
    const [seen, dark] = features(
      space,
      bright,
      bright.map(() => 0),
    );
    expect(seen).toHaveLength(128);
    expect(seen).not.toEqual(dark);
    expect(seen.every((x) => Number.isFinite(x) && Math.abs(x) < 100)).toBe(true);
  });
});

describe("texts", () => {
  it("are encoded: other characters give other features, also beyond Latin", () => {
    const rows = features(text(20), "go left", "go right", "go лево", "go left", "");
    expect(rows[0]).toHaveLength(64);
    expect(rows[3]).toEqual(rows[0]);
    for (const other of [rows[1], rows[2], rows[4]]) expect(other).not.toEqual(rows[0]);
    expect(rows[4].every((x) => x === 0)).toBe(true);
  });

  it("do not depend on padding", () => {
    const space = text(8);
    const seen = columns(space, 1);
    write(space, seen, 0, "abcdefgh");
    write(space, seen, 0, "ab");
    const encoder = encoderFor(space);
    const after = encoder.apply(encoder.init?.(random.key(3)), seen, 1);
    expect([...after.data]).toEqual(features(space, "ab")[0].map((x) => expect.closeTo(x, 5)));
  });

  it("of tokens are encoded alike", () => {
    const space = list(discrete(40, 2), 6);
    const [a, b, c] = features(space, [2, 41, 3], [2, 41, 4], []);
    expect(a).toHaveLength(64);
    expect(a).not.toEqual(b);
    expect(c.every((x) => x === 0)).toBe(true);
  });
});

it("images in a list are encoded one by one", () => {
  const space = list(image(3, 3, 1), 2);
  const picture = Uint8Array.from({ length: 9 }, (_, i) => 20 * i);
  const [two, one] = features(space, [picture, picture], [picture]);
  expect(two).toHaveLength(257);
  expect(two.slice(0, 128)).toEqual(two.slice(128, 256));
  expect(one.slice(128)).toEqual([...Array(128).fill(0), 0.5]);
});

it("an actor-critic on images learns its encoder", () => {
  const spec = { id: "Test-v0", observation: image(36, 36, 1), action: discrete(2) };
  const policy = actorCritic(spec, { hidden: [16] });
  const weights = policy.init(random.key(1));
  expect(Object.keys(weights)).toContain("encoder");
  const observation = zeros([2, 36, 36, 1], "u8").set(100);
  expect(policy.act(weights, { observation }, {}, random.key(2)).action).toMatchObject({ shape: [2] });
});
