import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { crc32, inflateSync } from "node:zlib";
import { ppo } from "@reins/algorithms";
import type { Rendering } from "@reins/core";
import { single, vectorise } from "@reins/core/forms";
import { ids, loadEnv, make } from "@reins/envs";
import { expect, it, vi } from "vitest";
import { folder, reins } from "../cli/testing.ts";
import { train } from "../train.ts";
import { changed } from "./frames.ts";
import { gif } from "./gif.ts";
import { paletteOf } from "./palette.ts";
import { drawingOf, renderEpisode } from "./picture.ts";
import { png } from "./png.ts";
import { type Raster, rasterise } from "./raster.ts";
import { svgFilm } from "./svg-film.ts";
import { textDrawing } from "./text-drawing.ts";

vi.stubEnv("REINS_BACKEND", "wasm");
vi.stubEnv("REINS_THREADS", "1");

const at = ({ width, data }: Raster, x: number, y: number) => [
  ...data.subarray(3 * (y * width + x), 3 * (y * width + x) + 3),
];
const drawing = (dx: number): Rendering => ({
  width: 40,
  height: 20,
  background: "#ffffff",
  shapes: [
    {
      kind: "polygon",
      points: [
        [2 + dx, 2],
        [10 + dx, 2],
        [10 + dx, 10],
        [2 + dx, 10],
      ],
      color: "#ff0000",
    },
    { kind: "circle", center: [30, 10], radius: 5, color: "#0000ff" },
    {
      kind: "line",
      points: [
        [0, 18],
        [40, 18],
      ],
      width: 2,
      color: "#000000",
    },
    { kind: "text", text: "a<b", at: [2, 16], size: 4, color: "#008000" },
  ],
});

it("rasterises shapes with anti-aliased edges", () => {
  const raster = rasterise(drawing(0.5));
  expect(at(raster, 6, 6)).toEqual([255, 0, 0]);
  expect(at(raster, 2, 6)).toEqual([255, 128, 128]);
  expect(at(raster, 30, 10)).toEqual([0, 0, 255]);
  expect(at(raster, 20, 17)).toEqual([0, 0, 0]);
  expect(at(raster, 39, 0)).toEqual([255, 255, 255]);
  expect(rasterise(drawing(0), 2)).toMatchObject({ width: 80, height: 40 });
});

/** Decoded frames of a GIF. */
function readGif(bytes: Uint8Array): Raster[] {
  const word = (i: number) => bytes[i] | (bytes[i + 1] << 8);
  const [width, height] = [word(6), word(8)];
  const colors = bytes.subarray(13, 13 + 768);
  const canvas = new Uint8Array(3 * width * height);
  const frames: Raster[] = [];
  for (let i = 13 + 768; bytes[i] !== 0x3b; ) {
    const blocks = (from: number) => {
      const parts: number[] = [];
      let k = from;
      for (; bytes[k]; k += bytes[k] + 1) parts.push(...bytes.subarray(k + 1, k + 1 + bytes[k]));
      return { parts, end: k + 1 };
    };
    if (bytes[i] === 0x21) {
      i = blocks(i + 2).end;
      continue;
    }
    const [left, top, w, h] = [1, 3, 5, 7].map((k) => word(i + k));
    const { parts, end } = blocks(i + 11);
    const indices = unpack(parts, bytes[i + 10]);
    expect(indices.length).toBe(w * h);
    indices.forEach((color, k) => {
      const to = 3 * ((top + Math.floor(k / w)) * width + left + (k % w));
      canvas.set(colors.subarray(3 * color, 3 * color + 3), to);
    });
    frames.push({ width, height, data: canvas.slice() });
    i = end;
  }
  return frames;
}

function unpack(bytes: readonly number[], least: number): number[] {
  const clear = 1 << least;
  const out: number[] = [];
  let table: number[][] = [];
  let [size, bit] = [least + 1, 0];
  let before: number[] | undefined;
  for (;;) {
    let code = 0;
    for (let k = 0; k < size; k++, bit++) code |= ((bytes[bit >> 3] >> (bit & 7)) & 1) << k;
    if (code === clear + 1) return out;
    if (code === clear) {
      table = Array.from({ length: clear + 2 }, (_, i) => [i]);
      [size, before] = [least + 1, undefined];
      continue;
    }
    const entry: number[] = table[code] ?? [...before!, before![0]];
    if (before) table.push([...before, entry[0]]);
    if (table.length === 1 << size && size < 12) size++;
    out.push(...entry);
    before = entry;
  }
}

/** Many colours in random order, so that codes grow and the table is reset. */
const noise: Raster = {
  width: 200,
  height: 100,
  data: Uint8Array.from({ length: 60_000 }, (_, i) => ((((i / 3) | 0) * 7919) % 251) + (i % 3)),
};

it("encodes frames as GIF", () => {
  const frames = [0, 1, 1, 5].map((dx) => rasterise(drawing(dx)));
  expect(readGif(gif({ frames, fps: 25 }))).toEqual(frames);
  expect(readGif(gif({ frames: [noise], fps: 25 }))).toEqual([noise]);
});

it("maps more than 256 colours to the nearest of 256", () => {
  const data = Uint8Array.from({ length: 3 * 4096 }, (_, i) => (((i / 3) | 0) >> (4 * (i % 3))) * 16);
  const frame = { width: 64, height: 64, data: data.map((x, i) => x + (i % 2)) };
  const { colors, indices } = paletteOf([frame]);
  const found = indices(frame, changed(undefined, frame));
  expect(new Set(found).size).toBe(256);
  const off = Array.from(found, (index, k) => Math.abs(colors[3 * index] - frame.data[3 * k]));
  expect(Math.max(...off)).toBeLessThan(255);
});

/** The chunks of a PNG, with verified checksums. */
function chunks(bytes: Uint8Array): { kind: string; data: Buffer }[] {
  const all = Buffer.from(bytes);
  const found: { kind: string; data: Buffer }[] = [];
  for (let i = 8; i < all.length; ) {
    const length = all.readUInt32BE(i);
    const named = all.subarray(i + 4, i + 8 + length);
    if (crc32) expect(all.readUInt32BE(i + 8 + length)).toBe(crc32(named));
    found.push({ kind: named.toString("latin1", 0, 4), data: named.subarray(4) });
    i += 12 + length;
  }
  return found;
}

it("encodes a PNG, and changes of an animated one", async () => {
  const frames = [0, 5].map((dx) => rasterise(drawing(dx)));
  const alone = chunks(await png({ frames: [frames[0]], fps: 10 }));
  expect(alone.map((c) => c.kind)).toEqual(["IHDR", "IDAT", "IEND"]);
  const lines = inflateSync(alone[1].data);
  const pixels = Array.from({ length: 20 }, (_, y) => [...lines.subarray(y * 121 + 1, (y + 1) * 121)]).flat();
  expect(pixels).toEqual([...frames[0].data]);
  const film = chunks(await png({ frames, fps: 10 }));
  expect(film.map((c) => c.kind)).toEqual(["IHDR", "acTL", "fcTL", "IDAT", "fcTL", "fdAT", "IEND"]);
  const { x, y, width, height } = changed(frames[0], frames[1]);
  const second = film[4].data;
  expect([4, 8, 12, 16].map((i) => second.readUInt32BE(i))).toEqual([width, height, x, y]);
  expect(inflateSync(film[5].data.subarray(4)).length).toBe(height * (1 + 3 * width));
});

it("encodes all frames as SVG, with escaped text", () => {
  const text = svgFilm([drawing(0), drawing(1), drawing(2)], 10);
  expect(text.match(/<animate /g)?.length).toBe(3);
  expect(text).toContain("a&lt;b");
  expect(text).toContain('keyTimes="0;0.333333;0.666667"');
  expect(svgFilm([drawing(0)], 10)).not.toContain("<animate");
});

/** Whether the engine of an environment is installed. */
const loadable = (id: string) =>
  loadEnv(id).then(
    () => true,
    (error: Error) => {
      if (error.message.includes("is not installed")) return false;
      throw error;
    },
  );

it("renders every environment of Reins", async () => {
  const shapes = [
    "CartPole-v1",
    "MountainCar-v0",
    "MountainCarContinuous-v0",
    "Pendulum-v1",
    "Acrobot-v1",
    "LunarLander-v3",
    "LunarLanderContinuous-v3",
    "BipedalWalker-v3",
    "BipedalWalkerHardcore-v3",
    "Driving-v0",
    "FrozenLake-v1",
    "FrozenLake8x8-v1",
    "Taxi-v4",
    "CliffWalking-v1",
  ];
  for (const id of ids()) {
    if (!(await loadable(id))) continue;
    const env = make(id);
    env.reset({ seed: 1 });
    const { width, height } = drawingOf(env);
    expect([id, width > 0 && height > 0, width * height < 2e6]).toEqual([id, true, true]);
    if (shapes.includes(id)) expect([id, env.picture !== undefined]).toEqual([id, true]);
  }
  // In other forms, too.
  const lake = vectorise(() => single(make("FrozenLake-v1")), 2);
  lake.reset({ seed: 1 });
  expect(lake.picture?.(1).shapes.length).toBeGreaterThan(16);
});

it("renders lines of text", () => {
  const raster = rasterise(textDrawing("⠿ a█\n└─┘"));
  expect(raster).toMatchObject({ width: 4 * 9 + 24, height: 2 * 18 + 24 });
  expect(at(raster, 12 + 3 * 9 + 4, 12 + 9)).toEqual([0x24, 0x29, 0x2f]);
  expect(at(raster, 1, 1)).toEqual([255, 255, 255]);
});

it("renders an agent's episode in programs and on the command line", async () => {
  const directory = join(folder(), "run");
  const agent = await train({
    algorithm: ppo({ envs: 4, steps: 32, hidden: [8] }),
    env: "CartPole-v1",
    steps: 256,
    evalEpisodes: 0,
    directory,
  });
  const film = readGif(await renderEpisode(agent, { steps: 5, scale: 0.25 }));
  expect(film.length).toBe(5);
  expect(film[0]).toMatchObject({ width: 120, height: 60 });
  // The same episode again.
  expect(await renderEpisode(agent, { steps: 5, scale: 0.25 })).toEqual(
    await renderEpisode(agent, { steps: 5, scale: 0.25 }),
  );
  for (const [name, head] of [
    ["a.gif", "GIF89a"],
    ["a.png", "\x89PNG"],
    ["a.svg", "<svg"],
  ]) {
    const file = join(directory, name);
    const { code, out } = await reins("watch", directory, "--save", file, "--every", "4", "--scale", "0.5");
    expect([code, out]).toEqual([0, expect.stringContaining(`Wrote ${file}`)]);
    expect(readFileSync(file, "latin1").startsWith(head)).toBe(true);
  }
  const wrong = await reins("watch", directory, "--save", join(directory, "a.mp4"));
  expect([wrong.code, existsSync(join(directory, "a.mp4"))]).toEqual([2, false]);
  expect(wrong.err).toContain(".gif, .png, .apng, .svg");
});
