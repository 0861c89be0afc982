import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Run } from "@reins/core";
import { loadAdapters, lora, saveAdapters, TextGenerator } from "@reins/language";
import type { GptParams } from "@reins/nn";
import { add, random, tensor, treeMap } from "@reins/tensor";
import { expect, it, onTestFinished } from "vitest";
import { grpo } from "../grpo.ts";
import { sft } from "../sft.ts";
import { model, placeOf, rounds, runOf, stageOf, weightsOf } from "./testing.ts";

/** Adapters as PEFT writes them, with this dropout. */
async function adapters(dropout: number) {
  const folder = mkdtempSync(join(tmpdir(), "reins-dropout-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  await saveAdapters(folder, lora(model, { rank: 2, targets: ["q_proj", "down_proj"] }, random.key(2)));
  const path = join(folder, "adapter_config.json");
  const config = JSON.parse(readFileSync(path, "utf8")) as object;
  writeFileSync(path, JSON.stringify({ ...config, lora_dropout: dropout }));
  return { folder, start: await loadAdapters(folder, model) };
}

/** Adapters that change the model: initial ones do not, and dropout of their inputs has no effect. */
const weighted = (params: GptParams): GptParams => treeMap((t) => add(t, 0.3), params) as GptParams;

const imitation = async (start: typeof model, more = {}): Promise<Run> =>
  runOf(sft({ batch: 4, validation: 4, validateEvery: 1, learningRate: 0.01, ...more }), {
    env: placeOf(stageOf({ start })),
  });

it("applies lora_dropout of a PEFT folder in training, by the seed of the run", async () => {
  const [{ start: dropped, folder }, { start: plain }] = [await adapters(0.5), await adapters(0)];
  expect(dropped.lora.dropout).toBe(0.5);
  const trained = async (start: typeof model) => weightsOf(await rounds(await imitation(start), 3));
  const weights = await trained(dropped);
  expect(await trained(dropped)).toEqual(weights);
  expect(await trained(plain)).not.toEqual(weights);

  const halfway = await rounds(await imitation(dropped), 2);
  const resumed = await imitation(dropped);
  resumed.restore(halfway.save());
  expect(weightsOf(await rounds(resumed, 1))).toEqual(weights);

  await saveAdapters(folder, dropped);
  expect(JSON.parse(readFileSync(join(folder, "adapter_config.json"), "utf8"))).toMatchObject({
    lora_dropout: 0.5,
  });
});

it("has no dropout in validation and generation", async () => {
  const [{ start: dropped }, { start: plain }] = [await adapters(0.5), await adapters(0)];
  const validated = async (start: typeof model) =>
    (await rounds(await imitation(start, { learningRate: 0 }), 1)).metrics["validation/loss"];
  expect(await validated(dropped)).toBe(await validated(plain));

  const text = ({ model: own, params }: typeof model) =>
    new TextGenerator({ model: own, params, vocabulary: own.vocabulary, context: 16, end: 0 }).generate([
      { prompt: [1, 2], seed: 1, limit: 6 },
    ])[0];
  expect(text(dropped).logProb).toEqual(text(plain).logProb);
});

it("scores by a key alone", async () => {
  const { start } = await adapters(0.5);
  const tokens = tensor([[1, 2, 3, 4]], { dtype: "i32" });
  const stirred = { ...start, params: weighted(start.params) };
  const logits = (key?: ReturnType<typeof random.key>) => [
    ...stirred.model.apply(stirred.params, tokens, { key }).data,
  ];
  expect(logits(random.key(1))).toEqual(logits(random.key(1)));
  expect(logits(random.key(1))).not.toEqual(logits(random.key(2)));
  expect(logits(random.key(1))).not.toEqual(logits());
});

it("moves the ratio away from 1 in reinforcement learning, as in PyTorch", async () => {
  const { start } = await adapters(0.5);
  const stirred = { ...start, params: weighted(start.params) };
  const run = runOf(grpo({ groups: 2, groupSize: 4, epochs: 1, klEvery: 1 }), {
    env: placeOf(stageOf({ start: stirred })),
  });
  await rounds(run, 1);
  expect(run.metrics["policy/kl"]).toBeGreaterThan(1e-6);
  expect(Math.abs(run.metrics["policy/reference-kl"])).toBeLessThan(1e-6);
});
