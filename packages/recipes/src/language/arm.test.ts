import { dapo, grpo, ppo } from "@reins/algorithms";
import type { Stage, TaskItem } from "@reins/core";
import * as judges from "@reins/core/judges";
import * as selections from "@reins/core/selections";
import { beforeEach, expect, it } from "vitest";
import type { WarmStart } from "../book/warm.ts";
import type { Trial } from "../recipe.ts";
import { languageArm } from "./arm.ts";
import { copying } from "./testing.ts";

const starts = new Map<string, Uint8Array>();
const asked: string[] = [];
beforeEach(() => void (asked.length = 0));

/** A trial whose warm starts are made once and kept in memory. */
const trial = (more: Partial<Trial> = {}): Trial => ({
  seed: 3,
  replicate: "seed 3",
  settings: { learningRate: 1e-3 },
  budget: 600,
  quick: false,
  async warm<T>(start: WarmStart<T>) {
    const key = JSON.stringify(start.inputs);
    asked.push(key);
    if (!starts.has(key)) starts.set(key, await start.make());
    return start.read(starts.get(key)!);
  },
  ...more,
});

const letters = {
  task: copying(),
  levels: [1, 2],
  model: { layers: 1, width: 16, heads: 2, imitation: 256 },
  options: { groups: 4, groupSize: 4, epochs: 1 },
  score: { problems: 16, looks: 2 },
};
it("returns all values by name", async () => {
  const side = languageArm({
    ...letters,
    name: "GRPO",
    algorithm: grpo,
    score: { ...letters.score, samples: 4 },
    also: ["length/mean"],
  });
  const { values: found, early, used } = await side.run(trial());
  expect(Object.keys(found).sort()).toEqual(
    [
      ..."accuracy answers area before calibration entropy flat gradient/norm groups length/mean maj@4".split(
        " ",
      ),
      ..."pass@4 policy/clipped policy/entropy policy/kl reward/mean".split(" "),
      ..."solved/1 solved/2 tokens tokens/1 tokens/2 updates".split(" "),
    ].sort(),
  );
  expect([found.answers, found.groups]).toEqual([4, 4]);
  expect(found.updates).toBeGreaterThan(2);
  expect(found.accuracy).toBeCloseTo((found["solved/1"] + found["solved/2"]) / 2, 12);
  expect(found["pass@4"]).toBeGreaterThanOrEqual(found.accuracy);
  expect(early.length).toBeGreaterThanOrEqual(3);
  expect(used).toBeGreaterThanOrEqual(600);
  // The same trial once more, bit for bit.
  expect((await side.run(trial())).values).toEqual(found);
});

it("measures after a number of updates, or at the end if there are fewer", async () => {
  const side = (updates: number) =>
    languageArm({ ...letters, name: "GRPO", algorithm: grpo, score: { ...letters.score, updates } });
  const early = (await side(1).run(trial())).values;
  const late = (await side(1000).run(trial())).values;
  expect(late["accuracy/updates"]).toBe(late.accuracy);
  // Evaluation does not affect the run.
  expect({ ...early, "accuracy/updates": 0 }).toEqual({ ...late, "accuracy/updates": 0 });
  const short = await side(1000).run(trial({ budget: 1 }));
  expect(short.values.updates).toBe(1);
  expect(early["accuracy/updates"]).toBe(short.values.accuracy);
});

it("starts with another model for each seed, and with the same for both arms", async () => {
  const [one, two] = [grpo, dapo].map((algorithm) => languageArm({ ...letters, name: "side", algorithm }));
  await one.run(trial({ budget: 64 }));
  await two.run(trial({ budget: 64 }));
  await one.run(trial({ budget: 64, seed: 4 }));
  expect(asked[1]).toBe(asked[0]);
  expect(asked[2]).not.toBe(asked[0]);
});

it("has other parts, made for each run from its problems", async () => {
  const seen: number[] = [];
  const watching = languageArm({
    ...letters,
    name: "watched",
    algorithm: grpo,
    parts: (task) => ({ task, selection: selections.watch((played) => seen.push(played.length)) }),
  });
  const plain = languageArm({ ...letters, name: "GRPO", algorithm: grpo });
  const { values: found } = await watching.run(trial());
  expect(found).toEqual((await plain.run(trial())).values);
  expect(seen).toEqual(Array.from({ length: found.updates }, () => 16));
  const own = languageArm({ ...letters, name: "own", algorithm: () => grpo(), parts: () => ({}) });
  await expect(async () => own.run(trial())).rejects.toThrow(
    "own: parts need a method that samples groups, such as grpo.",
  );
});

it("is smaller in a quick trial", async () => {
  const quick = { levels: [1], model: { imitation: 128 } };
  const side = languageArm({ ...letters, played: [2], name: "GRPO", algorithm: grpo, quick });
  const { values: found } = await side.run(trial({ quick: true, budget: 64 }));
  expect(found).toHaveProperty("solved/1");
  expect(found).not.toHaveProperty("solved/2");
  expect(JSON.parse(asked[0])).toMatchObject({ imitation: 128, width: 16, levels: [1] });
});

it("has content if all is plain data, and none with custom functions", () => {
  const side = (more: object) => languageArm({ ...letters, name: "any", algorithm: grpo, ...more }).content;
  const plain = JSON.stringify(side({}));
  expect(JSON.parse(plain)).toMatchObject({ side: "words", method: "grpo", levels: [1, 2] });
  expect(JSON.stringify(side({ name: "another", quick: { levels: [1] } }))).toBe(plain);
  // A variant that only changes options equals the method with these options.
  const same = grpo.with("same", { options: { groups: 4, groupSize: 4, epochs: 1 } });
  expect(JSON.stringify(side({ algorithm: same, options: {} }))).toBe(plain);
  expect(JSON.stringify(side({ options: { ...letters.options, clip: 0.3 } }))).not.toBe(plain);
  expect(JSON.stringify(side({ task: copying("abc") }))).not.toBe(plain);
  const judge = (stage: object) => ({ ...stage, judge: judges.allOrNothing });
  for (const own of [
    { algorithm: grpo.with("own", { normalise: "batch" }) },
    { algorithm: () => grpo() },
    { change: judge },
    { parts: () => ({}) },
  ]) {
    expect(side(own)).toBeUndefined();
    // Custom functions can be named.
    expect(side({ ...own, identity: "mine 1" })).toMatchObject({ method: "custom mine 1" });
  }
});

it("samples each problem of a fixed set once, where a method has a critic", async () => {
  const items: TaskItem[] = [];
  const recorded = (stage: Stage): Stage => ({
    ...stage,
    play(input) {
      const next: typeof input.task.next = (statistics) => {
        const batch = input.task.next(statistics);
        items.push(...batch);
        return batch;
      };
      return stage.play({ ...input, task: { ...input.task, next } });
    },
  });
  const side = languageArm({
    ...letters,
    name: "PPO",
    algorithm: ppo,
    options: { envs: 8, minibatches: 1, epochs: 1 },
    prompts: 4,
    change: recorded,
  });
  await side.run(trial());
  const first = items.slice(0, 8);
  expect(new Set(first.map((item) => item.key)).size).toBe(8);
  expect(new Set(first.map((item) => item.context?.level))).toEqual(new Set([1, 2]));
  expect(items.every((item) => item.groupSize === 1)).toBe(true);
});
