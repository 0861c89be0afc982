import { readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { scalar, tensor } from "@reins/tensor";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Snapshot } from "../snapshot.ts";
import { readCheckpoint, readHead, writeCheckpoint } from "./checkpoint.ts";
import { Checkpoints } from "./checkpoints.ts";
import { sha256 } from "./digest.ts";
import { disk } from "./files.ts";
import { scratch, visible } from "./testing.ts";

let folder: ReturnType<typeof scratch>;
let count = 0;
beforeAll(() => void (folder = scratch()));
afterAll(() => folder.done());
const fresh = () => {
  const path = join(folder.path, `${count++}`);
  disk.mkdirSync(path);
  return path;
};
const head = (steps: number, score?: number) => ({
  format: 1,
  reins: "0.1.0",
  algorithm: "a",
  env: "E-v0",
  steps,
  ...(score === undefined ? {} : { score }),
});

describe("a snapshot", () => {
  const shared = new Float32Array(new SharedArrayBuffer(16));
  shared.set([1, 2, 3, 4]);
  const everything = {
    nothing: null,
    yes: true,
    text: 'ü "quoted"\n \ud800',
    numbers: [
      0,
      -0,
      1 / 3,
      5e-324,
      1.7976931348623157e308,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      -Number.POSITIVE_INFINITY,
    ],
    arrays: {
      f64: Float64Array.of(1 / 3, -0, Number.NaN, Number.NEGATIVE_INFINITY),
      f32: Float32Array.of(1 / 3, -0, Number.NaN),
      i32: Int32Array.of(-(2 ** 31), 7),
      u32: Uint32Array.of(2 ** 32 - 1),
      u16: Uint16Array.of(65535),
      i16: Int16Array.of(-32768),
      i8: Int8Array.of(-128, 127, 1),
      u8: Uint8Array.of(0, 255),
      empty: new Float64Array(0),
      part: Float64Array.of(1, 2, 3, 4).subarray(1, 3),
      shared,
    },
    tensors: [
      tensor([1, 2, 3, 4, 5, 6], { shape: [3, 2] }),
      tensor([-1, 2], { dtype: "i32" }),
      tensor([1], { dtype: "u32" }),
      tensor([7, 8], { shape: [1, 2, 1], dtype: "u8" }),
      tensor([1, 0], { dtype: "bool" }),
      scalar(-0),
    ],
    // Names that collide as paths, or look like the file's own keys.
    "a.b": Float32Array.of(1),
    a: { b: Float32Array.of(2) },
    $number: "5",
    $$tensor: { $array: [1] },
    __metadata__: Int8Array.of(3),
    deep: [[[{ x: [] }]], {}],
  } as unknown as Snapshot;

  it("is restored exactly, with every type and number", () => {
    const path = fresh();
    writeCheckpoint(disk, path, head(5), everything);
    expect(visible(readCheckpoint(path))).toEqual(visible(everything));
    expect(readHead(path)).toMatchObject(head(5));
  });
  it("of any shape is restored", () => {
    for (const s of [
      null,
      3,
      "x",
      [],
      {},
      Float64Array.of(1),
      scalar(2),
      [Uint8Array.of(1), { "": 1 }],
    ] as Snapshot[]) {
      const path = fresh();
      writeCheckpoint(disk, path, head(1), s);
      expect(visible(readCheckpoint(path))).toEqual(visible(s));
    }
  });
  it("is a valid safetensors file with paths as names", () => {
    const path = fresh();
    writeCheckpoint(disk, path, head(1), { w: [tensor([1, 2], { shape: [2, 1] })], n: Float64Array.of(1) });
    const bytes = readFileSync(join(path, "state.safetensors"));
    const length = Number(bytes.readBigUInt64LE());
    expect(JSON.parse(bytes.toString("utf8", 8, 8 + length))).toEqual({
      "w.0": { dtype: "F32", shape: [2, 1], data_offsets: [8, 16] },
      n: { dtype: "F64", shape: [1], data_offsets: [0, 8] },
    });
  });
  it("with an unsupported value is refused with its path", () => {
    const write = (s: unknown) => () => writeCheckpoint(disk, fresh(), head(1), s as Snapshot);
    expect(write({ a: [new Map()] })).toThrow("checkpoint: a.0 is a Map, which a checkpoint cannot hold");
    expect(write({ a: 1n })).toThrow("a is a bigint");
    expect(write({ a: { f: () => 1 } })).toThrow("a.f is a function");
    expect(write({ a: new BigInt64Array(1) })).toThrow("a is a BigInt64Array");
  });
});

describe("checkpoints", () => {
  const make = (path: string, keep = 2) => {
    const warnings: string[] = [];
    return { all: new Checkpoints(join(path, "c"), disk, keep, (m) => warnings.push(m)), warnings };
  };
  const names = (path: string) =>
    readdirSync(join(path, "c")).sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10));

  it("keeps the last two and the best", () => {
    const path = fresh();
    const { all } = make(path);
    const scores = [undefined, 1, 9, 3, 9, 2, 4];
    scores.forEach((score, i) => all.write(head(10 * (i + 1), score), { i }));
    expect(names(path)).toEqual(["50", "60", "70"]);
    expect(all.latest()?.steps).toBe(70);
    expect(all.best()?.snapshot).toEqual({ i: 4 });
    // Another process finds the best as well.
    const { all: later } = make(path);
    expect(later.best()?.steps).toBe(50);
    later.latest();
    later.write(head(80, 0), {});
    expect(names(path)).toEqual(["50", "70", "80"]);
  });
  it.each([0, -1, "x", JSON.parse(`${"[".repeat(5000)}${"]".repeat(5000)}`)])(
    "removes nothing if the recorded number of checkpoints to keep is invalid",
    (keep) => {
      const path = fresh();
      const { all } = make(path);
      for (const steps of [10, 20]) all.write(head(steps), {});
      writeCheckpoint(disk, join(path, "c", "20"), { ...head(20), keep: keep as number }, {});
      const { all: later } = make(path);
      expect(later.latest()?.steps).toBe(20);
      later.tidy();
      expect(names(path)).toEqual(["10", "20"]);
    },
  );
  it("rewrites a checkpoint at the same step", () => {
    const path = fresh();
    const { all } = make(path);
    all.write(head(10), { x: 1 });
    all.write(head(20), { x: 2 });
    all.write(head(20), { x: 3 });
    expect(names(path)).toEqual(["10", "20"]);
    expect(all.latest()?.snapshot).toEqual({ x: 3 });
  });
  it("finds a checkpoint whose replacement was interrupted", () => {
    const path = fresh();
    make(path).all.write(head(10), { x: 1 });
    disk.renameSync(join(path, "c", "10"), join(path, "c", "10.old"));
    const { all } = make(path);
    expect(all.latest()).toMatchObject({ steps: 10, snapshot: { x: 1 } });
    all.write(head(20), {});
    all.write(head(30), {});
    expect(names(path)).toEqual(["20", "30"]);
  });
  it("detects truncation and flipped bits, and uses the previous checkpoint", () => {
    const path = fresh();
    const { all, warnings } = make(path);
    all.write(head(10), { x: Float64Array.of(1) });
    all.write(head(20), { x: Float64Array.of(2), t: tensor([1, 2]) });
    for (const name of ["state.json", "state.safetensors"]) {
      const file = join(path, "c", "20", name);
      const good = readFileSync(file);
      for (let i = good.length - 1; i >= 0; i--) {
        truncateSync(file, i);
        expect(all.latest()?.steps).toBe(10);
        if (i % 5) continue;
        const bad = Buffer.from(good);
        bad[i] ^= 1 << (i % 8);
        writeFileSync(file, bad);
        expect(all.latest()?.steps).toBe(10);
      }
      writeFileSync(file, good);
    }
    expect(all.latest()?.steps).toBe(20);
    expect(warnings[0]).toContain(join("c", "20") + " is damaged and is not used");
  });
  it("reports a wrong header as damaged", () => {
    const path = fresh();
    writeCheckpoint(disk, path, head(1), { x: new Float32Array([1, 2]), y: new Int32Array([3]) });
    const file = join(path, "state.safetensors");
    const bytes = readFileSync(file);
    for (const [from, to] of [
      ['"shape"', '"shqpe"'],
      ['"data_offsets"', '"data_offsetz"'],
      ["F32", "F33"],
      ["[0,8]", "[0,9]"],
      ["[0,8]", "[0 8]"],
    ]) {
      writeFileSync(file, Buffer.from(bytes.toString("latin1").replace(from, to), "latin1"));
      expect(() => readCheckpoint(path), to).toThrow(`${file}: the header is damaged`);
    }
  });

  it("refuses fields of another kind, and state nested without end, even with a correct digest", () => {
    const path = fresh();
    const { all, warnings } = make(path);
    all.write(head(10), { x: 1 });
    all.write(head(20), { x: 2 });
    const file = join(path, "c", "20", "state.json");
    const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
    const good = readFileSync(file, "utf8");
    for (const [from, to, message] of [
      ['"steps":20', `"steps":20,"episodes":${deep}`, "episodes that is not a number"],
      ['"x":2', `"x":${deep}`, "levels deep"],
      ['"steps":20', '"steps":[20]', "steps that is not a number"],
      ['"steps":20', '"steps":20,"episodes":"1"', "episodes that is not a number"],
    ]) {
      const [, body] = good.replace(from, to).split(/^\{"sha256":"[^"]*",/);
      writeFileSync(file, `{"sha256":"${sha256(Buffer.from(body))}",${body}`);
      expect(() => readCheckpoint(join(path, "c", "20")), message).toThrow(message);
      if (message === "levels deep") expect(() => all.latest()).toThrow(message);
      else expect(all.latest()?.steps).toBe(10);
    }
    expect(warnings[0]).toContain("is damaged and is not used");
    writeFileSync(file, good);
    expect(all.latest()?.steps).toBe(20);
  });

  it("removes damaged ones when new ones are written", () => {
    const path = fresh();
    const { all } = make(path);
    all.write(head(10), { x: 1 });
    all.write(head(20), { x: 2 });
    truncateSync(join(path, "c", "20", "state.json"), 10);
    const { all: later } = make(path);
    expect(later.latest()?.steps).toBe(10);
    later.write(head(20), { x: 3 });
    expect(names(path)).toEqual(["10", "20"]);
    expect(later.latest()?.snapshot).toEqual({ x: 3 });
  });
  it("refuses another format with the version to use", () => {
    const path = fresh();
    const { all } = make(path);
    all.write({ ...head(10), format: 2, reins: "9.1.0" }, {});
    expect(() => all.latest()).toThrow(
      /format 2, written by Reins 9.1.0; this version reads format 1\. Resume it with Reins 9.1.0/,
    );
  });
});
