import { grpo, sft } from "@reins/algorithms";
import { phases, Run, type Snapshot } from "@reins/core";
import { isNumberArray } from "@reins/core/snapshots";
import { arithmetic, characters, lora, mergeModelAdapters, newModel, textStage } from "@reins/language";
import { flattenNames } from "@reins/nn";
import { random, Tensor, type Tree, tensor } from "@reins/tensor";
import { expect, it, vi } from "vitest";

vi.stubEnv("REINS_BACKEND", "wasm");

const tokenizer = characters(arithmetic.alphabet);
const base = newModel(
  {
    layers: 1,
    width: 16,
    heads: 2,
    context: 32,
    vocabulary: tokenizer.size,
    style: "llama",
    deviation: 0.3,
  },
  random.key(1),
);
const start = lora(base, { rank: 4 }, random.key(2));
const stage = textStage({ task: arithmetic, level: 1, start, tokenizer });
const spec = { id: "arithmetic", observation: { kind: "text" }, action: { kind: "text" } } as never;
const env = { spec, stage };
const frozen = [...flattenNames(base.params as Tree)].map(([name, t]) => [name, t.data.slice()]);

it("trains adapters by imitation and reinforcement, with a frozen base", async () => {
  const run = new Run({
    algorithm: phases("both", [
      { algorithm: sft({ batch: 32, learningRate: 1e-2 }), steps: 4000 },
      { algorithm: grpo({ groups: 2, groupSize: 4, epochs: 1, klWeight: 0.1 }), steps: 200 },
    ]),
    env,
    steps: 4200,
  });
  const losses: number[] = [];
  while (run.steps < 4000) losses.push((await run.round())["loss/total"]);
  const mean = (some: number[]) => some.reduce((a, b) => a + b, 0) / some.length;
  expect(mean(losses.slice(-5))).toBeLessThan(0.7 * mean(losses.slice(0, 5)));
  await run.advanceAsync();
  // Generation with KV caches computes the same as training on whole texts.
  expect(Math.abs(run.metrics["policy/kl"])).toBeLessThan(1e-4);
  const { weights } = run.process.acting!;
  expect(flattenNames(weights as Tree).size).toBe(14);
  expect([...flattenNames(base.params as Tree)].map(([name, t]) => [name, t.data])).toEqual(frozen);
  const tokens = tensor([tokenizer.encode("1+2=3")], { dtype: "i32" });
  const plain = mergeModelAdapters({ ...start, params: weights as never });
  const [own, folded] = [
    start.model.apply(weights as never, tokens),
    plain.model.apply(plain.params, tokens),
  ];
  own.data.forEach((x, i) => expect(folded.data[i]).toBeCloseTo(x, 4));
  // Checkpoints of versions with fused adapters: `qkv` had one `adapter`.
  const fused = (part: Snapshot): Snapshot => {
    if (typeof part !== "object" || part === null || part instanceof Tensor || isNumberArray(part))
      return part;
    if (Array.isArray(part)) return part.map(fused);
    const { adapters, ...rest } = part as { readonly [name: string]: Snapshot };
    const others = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, fused(value)]));
    return adapters === undefined ? others : { ...others, adapter: Object.values(adapters as object)[0] };
  };
  expect(() => run.restore(fused(run.save()))).toThrow(
    /the checkpoint has no .*qkv\.adapters: another version of Reins wrote it\. Resume it with that version/,
  );
});
