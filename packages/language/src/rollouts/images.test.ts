import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Episode, RolloutInput } from "@reins/core";
import { makers, pack } from "@reins/core/episodes";
import { Statistics } from "@reins/core/metrics";
import { logSoftmax, random, type Tensor, tensor } from "@reins/tensor";
import { describe, expect, it, vi } from "vitest";
import { TextGenerator } from "../generation/generator.ts";
import { Prefill } from "../generation/prefill.ts";
import type { Request } from "../generation/sequence.ts";
import { loadModel, saveModel } from "../models/folder.ts";
import { imagePatches } from "../models/images.ts";
import { newModel } from "../models/language-model.ts";
import { lora } from "../models/lora.ts";
import { loadPatches } from "../models/patch-files.ts";
import { cutPatches, type ImageModel, withPatches } from "../models/patches.ts";
import { languagePolicy } from "../policy.ts";
import { textStage } from "../stage/stage.ts";
import { sampleProblem, splitOf } from "../tasks/sample-problem.ts";
import { textTask } from "../tasks/text-task.ts";
import { characters } from "../tokenizers/characters.ts";
import { branches } from "./branches.ts";
import { promptOf } from "./prompt.ts";
import type { TextStageOptions } from "./stage-options.ts";

/** How many cells of a 4 × 4 image are lit? At level 2 of 4 × 8. */
const lit = textTask<{ count: number }>({
  id: "lit",
  about: "Count the cells that are lit.",
  levels: 2,
  alphabet: "n?0123456789",
  longest: { prompt: 2, answer: 2 },
  make(random, level) {
    const cells = Array.from({ length: 16 * level }, () => (random.random() < 0.3 ? 1 : 0));
    const count = cells.filter((c) => c).length;
    return {
      prompt: "n?",
      image: { cells, shape: [4, 4 * level, 1] },
      answer: `${count}`,
      data: { count },
    };
  },
  verify: ({ data }, answer) => ({
    score: answer === `${data.count}` ? 1 : 0,
    wellFormed: /^\d+$/.test(answer),
  }),
});
const tokenizer = characters(lit.alphabet);
const hole = tokenizer.size;
const how = { patch: [2, 2], channels: 1, token: hole, grid: [2, 4] } as const;
const vocabulary = tokenizer.size + 1;
const shape = {
  layers: 2,
  width: 16,
  heads: 2,
  context: 24,
  vocabulary,
  style: "llama",
  deviation: 0.4,
} as const;
const base = newModel(shape, random.key(1));
const start = withPatches(base, how, random.key(2));
const options = (more: Partial<TextStageOptions> = {}): TextStageOptions => ({
  task: lit,
  level: 1,
  start,
  tokenizer,
  rows: 8,
  limit: 4,
  ...more,
});
const askedOf = (index: number, level = 1) => promptOf(options(), sampleProblem(lit, level, "train", index));
const generator = (more: object = {}, { model, params }: ImageModel | typeof base = start) =>
  new TextGenerator({ model, params, vocabulary, context: 24, end: 1, rows: 8, ...more });

/** Log-probabilities of an answer, without a KV cache and without alignment. */
function uncached({ prompt, image }: Pick<Request, "prompt" | "image">, answer: readonly number[]) {
  const all = [...prompt, ...answer];
  const images = image && {
    patches: tensor(image.patches, { shape: [1, image.places.length / 2, 4] }),
    places: tensor(image.places, { shape: [image.places.length / 2, 2], dtype: "i32" }),
  };
  const p = logSoftmax(
    start.model.apply(start.params, tensor([all.slice(0, -1)], { dtype: "i32" }), { images }),
  ).data;
  return answer.map((t, i) => p[(prompt.length - 1 + i) * vocabulary + t]);
}

const near = (found: readonly number[], wanted: readonly number[]) =>
  found.forEach((x, i) => expect(Math.abs(x - wanted[i])).toBeLessThan(1e-4));

/** The prompts that a generator prefills, call by call. */
function watched<T>(f: () => T): { result: T; read: { shared: number; length: number }[][] } {
  const read: { shared: number; length: number }[][] = [];
  const spy = vi.spyOn(Prefill.prototype, "read");
  try {
    const result = f();
    for (const [beginnings] of spy.mock.calls)
      read.push(beginnings.map(({ shared, before }) => ({ shared, length: before.length })));
    return { result, read };
  } finally {
    spy.mockRestore();
  }
}

/** Rollouts of some problems with the stage's initial weights. */
function playing(
  problems: readonly { seed: number; groupSize: number; teachers?: number; greedy?: boolean }[],
): RolloutInput {
  return {
    policy: languagePolicy(start) as never,
    weights: start.params as never,
    task: { next: () => problems.map((p) => ({ key: "p", ...p })) },
    statistics: new Statistics(),
    key: random.key(7),
    version: () => 3,
  };
}

/** Expects that the policy gives an episode's own tokens the recorded log-probabilities. */
function expectAgreement(episodes: readonly Episode[]) {
  const policy = languagePolicy(start);
  for (const episode of episodes) {
    const { observation, action, logProb, by } = pack([episode]).columns as unknown as {
      observation: { token: Tensor; patch: Tensor; place: Tensor };
      action: Tensor;
      logProb: Tensor;
      by: Tensor;
    };
    const column = (t: Tensor) => t.reshape([t.shape[0], 1, ...t.shape.slice(1)]);
    const { token, patch, place } = observation;
    const view = { observation: { token: column(token), patch: column(patch), place: column(place) } };
    const judged = policy.score(start.params, { view, action: column(action) });
    let seen = 0;
    by.data.forEach((maker: number, t: number) => {
      if (makers[maker] !== "policy") return;
      seen++;
      expect(Math.abs(judged.logProb.data[t] - logProb.data[t])).toBeLessThan(1e-4);
    });
    expect(seen).toBeGreaterThan(0);
  }
}

describe("images in prompts", () => {
  it("are cut like tensors, and rejected where they do not fit", () => {
    const cells = Array.from({ length: 48 }, (_, i) => i);
    const { patches, places } = imagePatches(
      { cells, shape: [4, 6, 2] },
      { ...how, patch: [2, 3], channels: 2 },
    );
    expect([...patches]).toEqual([...cutPatches(tensor(cells, { shape: [4, 6, 2] }), [2, 3]).data]);
    expect([...places]).toEqual([0, 0, 0, 1, 1, 0, 1, 1]);
    expect(() => imagePatches({ cells, shape: [4, 6, 2] }, how)).toThrow("with 1 channels");
    expect(() => imagePatches({ cells, shape: [6, 8, 1] }, how)).toThrow("at most 2 × 4");
  });

  it("give the results of the model without a cache, of any size and next to texts without an image", () => {
    const words = { prompt: tokenizer.encode("n?5") };
    const extra = askedOf(3);
    const requests = [
      ...[askedOf(0), askedOf(1), askedOf(2, 2), words, { prompt: [hole, 3, hole, 4] }],
      { ...extra, prompt: [...tokenizer.encode("7?"), ...extra.prompt, hole, 5] },
    ].map((a, i) => ({ ...a, seed: i, limit: 5 }));
    const all = generator().generate(requests);
    all.forEach((g, i) => near(g.modelLogProb, uncached(requests[i], g.tokens)));
    const plain = generator({}, base).generate([requests[3]]);
    expect(plain[0].tokens).toEqual(all[3].tokens);
  });

  it("separate texts that differ in nothing else, and are prefilled once per problem", () => {
    const two = [0, 1].map((i) => askedOf(i));
    expect(two[0].prompt).toEqual(two[1].prompt);
    const requests = Array.from({ length: 8 }, (_, i) => ({ ...two[i % 2], seed: i >> 1, limit: 3 }));
    const writer = generator({ version: () => 1 });
    const { result, read } = watched(() => writer.generate(requests));
    expect(read).toEqual([Array(2).fill({ shared: 0, length: two[0].prompt.length - 1 })]);
    result.forEach((g, i) => near(g.modelLogProb, uncached(requests[i], g.tokens)));
    expect(Math.abs(result[0].entropy[0] - result[1].entropy[0])).toBeGreaterThan(1e-3);
    // Later: equal images share a prefix, also partly; different images share the text before them.
    const again = askedOf(0);
    const other = askedOf(2);
    const [a, b, c] = [again, { prompt: [hole, hole, hole, 3, hole, 4], image: again.image }, other].map(
      (x, i) => ({ ...x, seed: i, limit: 4 }),
    );
    const together = watched(() => writer.generate([a, b, c, ...requests.slice(3)]));
    expect(together.read[0].slice(0, 3).map((x) => x.shared)).toEqual([a.prompt.length - 1, 3, 0]);
    together.result.slice(0, 3).forEach((g, i) => near(g.modelLogProb, uncached([a, b, c][i], g.tokens)));
  });

  it("are rejected with a reason", () => {
    const { prompt, image } = askedOf(0);
    const ask =
      (p: readonly number[], from = generator()) =>
      () =>
        from.generate([{ prompt: p, image, seed: 0, limit: 2 }]);
    expect(ask(prompt, generator({}, base))).toThrow("withPatches");
    expect(ask(prompt.slice(1))).toThrow("the prompt has 3 placeholders");
    expect(ask(prompt.slice(0, 4))).toThrow("cannot end with a patch");
    expect(() => textStage(options({ start: base }))).toThrow("withPatches");
  });

  it("determine the split of a problem together with the prompt", () => {
    const problems = Array.from({ length: 20 }, (_, i) => sampleProblem(lit, 1, i % 2 ? "test" : "train", i));
    problems.forEach((p, i) => expect(splitOf(p.prompt, p.image)).toBe(i % 2 ? "test" : "train"));
  });

  it("have the same probabilities in training as in generation", () => {
    const problems = [0, 1, 2].map((seed) => ({ seed, groupSize: 4, teachers: 1, greedy: seed === 0 }));
    const { result, read } = watched(() =>
      textStage(options({ rows: 16 }))
        .play(playing(problems))
        .next(),
    );
    const episodes = result as readonly Episode[];
    expect(read[0].length).toBe(3);
    expect(episodes.length).toBe(16);
    expectAgreement(episodes.slice(0, 12));
    expect(pack(episodes).columns.observation).toHaveProperty("patch");
    const grown = branches(options(), { forks: 1 })(
      playing(problems.map(({ seed }) => ({ seed, groupSize: 2 }))),
    );
    expectAgreement(grown.next() as readonly Episode[]);
  });

  it("work with adapters, and after loading from a folder", async () => {
    const small = lora(start, { rank: 2 }, random.key(4));
    const request = { ...askedOf(1), seed: 1, limit: 4 };
    const [wanted] = generator().generate([request]);
    expect(generator({}, small).generate([request])[0].tokens).toEqual(wanted.tokens);
    const folder = mkdtempSync(join(tmpdir(), "reins-patches-"));
    try {
      await saveModel(folder, start);
      const plain = await loadModel(folder);
      const found = await loadPatches(folder, plain);
      const [again] = generator({}, found).generate([request]);
      expect(again.tokens).toEqual(wanted.tokens);
      near(again.logProb, wanted.logProb);
      await expect(loadPatches(join(folder, "none"), plain)).rejects.toThrow("has no image encoder");
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
