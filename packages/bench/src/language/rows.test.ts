import { expect, test } from "vitest";
import type { Side } from "../side.ts";
import { languageBenchmarks } from "./benchmarks.ts";
import { besidePeer, generationRow, grpoRow, type MeasuredPlace } from "./rows.ts";

const place = (name: string, more: Partial<MeasuredPlace> = {}): MeasuredPlace => ({
  benchmark: languageBenchmarks.find((b) => b.name === name)!,
  backend: "native",
  threads: 1,
  ...more,
});

function side<Sample>(samples: Sample[], values: number[] = [], how?: string): Promise<Side<Sample>> {
  return Promise.resolve({
    ready: { version: "1", values, how },
    round: () => Promise.resolve(samples),
    stop() {},
  });
}

test("training is compared with PyTorch, and its floor holds for one native thread", async () => {
  const [ours, peer] = [() => side([2, 2], [5, 4]), () => side([4, 4], [5, 4.001], "fused")];
  expect(await besidePeer(place("train-0.8m"), ours, peer, 1)).toMatchObject({
    ours: 1024,
    peer: 512,
    ratio: 2,
    floor: 1,
    met: true,
    note: "PyTorch: fused",
  });
  const two = await besidePeer(place("train-0.8m", { threads: 2 }), ours, peer, 1);
  expect(two).toMatchObject({ ratio: 2, floor: null, met: null });
});

test("losses that differ are an error, and a missing peer leaves its columns empty", async () => {
  const ours = () => side([2], [5, 4]);
  const wrong = await besidePeer(place("train-0.8m"), ours, () => side([4], [5, 4.1], "fused"), 1);
  expect(wrong).toMatchObject({ ours: null, peer: null, ratio: null, met: null });
  expect(wrong.note).toBe("wrong loss, not timed: value 1 is 4, but 4.1 on the peer; PyTorch: fused");
  const alone = await besidePeer(place("train-0.8m"), ours, () => Promise.reject(new Error("no torch")), 1);
  expect(alone).toMatchObject({
    ours: 1024,
    peer: null,
    ratio: null,
    met: null,
    note: "PyTorch unavailable: no torch",
  });
});

test("the ratio of generation is the share of its products and caches", async () => {
  const sample = { whole: 8, products: 3, caches: 2, prompts: 1 };
  const row = await generationRow(place("generate-10m"), side([sample]), 2);
  expect(row).toMatchObject({ ours: 3584, ratio: 0.75, floor: 0.7, met: true });
  expect(row.parts).toMatchObject({
    products: { value: 37.5 },
    caches: { value: 25 },
    prompts: { value: 12.5 },
  });
});

test("GRPO has the shares of its time, and a failed side reports its error", async () => {
  const sample = { generation: 1, judging: 1, learning: 2, tokens: 400 };
  expect(await grpoRow(place("grpo-share"), side([sample]), 1)).toMatchObject({
    ours: 100,
    peer: null,
    met: null,
    parts: { generation: { value: 25 }, judging: { value: 25 }, learning: { value: 50 } },
  });
  expect(await grpoRow(place("grpo-share"), Promise.reject(new Error("no compiler")), 1)).toMatchObject({
    ours: null,
    note: "no compiler",
  });
});
