import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { flattenNames, loadSafetensors } from "@reins/nn";
import { compile, random, sum, type Tensor, tensor, valueAndGradient } from "@reins/tensor";
import { afterAll, describe, expect, it } from "vitest";
import { loadModel, saveModel } from "./folder.ts";
import { newModel } from "./language-model.ts";
import { lora } from "./lora.ts";
import { loadReward, saveReward } from "./reward-folder.ts";
import { type RewardParams, rewardHead, rewardModel } from "./reward-model.ts";

const root = process.env.REINS_FIXTURES ?? fileURLToPath(new URL("../../../../fixtures", import.meta.url));
const temporary = mkdtempSync(join(tmpdir(), "reins-heads-"));
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

const ints = (values: number[] | number[][]) => tensor(values as number[][], { dtype: "i32" });
const base = newModel(
  { layers: 1, width: 8, heads: 2, context: 8, vocabulary: 11, style: "llama", deviation: 0.3 },
  random.key(3),
);
/** A loaded head may have a bias. */
const reward = rewardModel(base, {
  weight: rewardHead(base, random.key(1)).params.head.weight,
  bias: tensor([0.25]),
});
const tokens = ints([
  [1, 5, 2, 9],
  [7, 3, 0, 0],
]);
const lengths = ints([4, 2]);

describe("a reward head", () => {
  it("is the last token's hidden state times its weight, plus its bias", () => {
    const hidden = base.model.hidden(base.params, tokens).data;
    const { weight } = reward.params.head;
    const by = (row: number, at: number) =>
      [...weight.data].reduce((s, w, i) => s + w * hidden[(row * 4 + at) * 8 + i], 0.25);
    const scores = reward.score(reward.params, tokens, lengths);
    expect(scores.shape).toEqual([2]);
    expect(scores.data[0]).toBeCloseTo(by(0, 3), 5);
    expect(scores.data[1]).toBeCloseTo(by(1, 1), 5);
  });

  it("ignores padding after a text", () => {
    const score = compile((p: RewardParams, t: Tensor, n: Tensor) => reward.score(p, t, n));
    const scores = score(reward.params, tokens, lengths).data;
    const other = ints([
      [1, 5, 2, 9],
      [7, 3, 8, 4],
    ]);
    expect(score(reward.params, other, lengths).data).toEqual(scores);
    expect(score(reward.params, ints([[7, 3]]), ints([2])).data[0]).toBeCloseTo(scores[1], 5);
  });

  it("has the gradient of finite differences", () => {
    const total = (p: RewardParams) => {
      const s = reward.score(p, tokens, lengths);
      return sum(s.mul(s));
    };
    const slopes = flattenNames(valueAndGradient(total)(reward.params).gradient);
    for (const [path, t] of flattenNames(reward.params)) {
      if (path === "base.head.weight") continue;
      const at = path === "base.tokens.table" ? 5 * 8 : t.size >> 1;
      const here = t.data[at];
      const value = (x: number) => {
        t.data[at] = x;
        return total(reward.params).item();
      };
      const slope = (value(here + 1e-2) - value(here - 1e-2)) / 2e-2;
      t.data[at] = here;
      const found = slopes.get(path)!.data[at];
      expect(Math.abs(found - slope), path).toBeLessThan(2e-3 * Math.max(1, Math.abs(slope)));
    }
  });
});

const styles = {
  gpt2: newModel({ layers: 1, width: 8, heads: 2, context: 8, vocabulary: 11 }, random.key(3)),
  llama: base,
  "a Llama folder": await loadModel(join(root, "hf", "llama")),
  "a Qwen 2 folder": await loadModel(join(root, "hf", "qwen2")),
  adapters: lora(base, { rank: 2 }, random.key(5)),
};

describe("folders for sequence classification", () => {
  it.each(Object.entries(styles))("%s round-trips bit for bit", async (name, model) => {
    const { weight } = rewardHead(model, random.key(9)).params.head;
    const before = rewardModel(model, { weight, bias: tensor([-0.5]) }, 0);
    const folder = join(temporary, name);
    await saveReward(folder, before);
    const after = await loadReward(folder);
    expect(after.score(after.params, tokens, lengths).data).toEqual(
      before.score(before.params, tokens, lengths).data,
    );
    const config = JSON.parse(readFileSync(join(folder, "config.json"), "utf8"));
    expect(config.num_labels).toBe(1);
    expect(config.pad_token_id).toBe(0);
    const kinds = { gpt2: "GPT2", llama: "Llama", qwen2: "Qwen2" } as { [type: string]: string };
    expect(config.architectures).toEqual([`${kinds[config.model_type]}ForSequenceClassification`]);
    const { tensors } = await loadSafetensors(join(folder, "model.safetensors"));
    expect(tensors.get("score.weight")!.shape).toEqual([1, model.options.width]);
    expect(tensors.has("lm_head.weight")).toBe(false);
  });

  it("must have a head", async () => {
    const folder = join(temporary, "plain");
    await saveModel(folder, base);
    await expect(loadReward(folder)).rejects.toThrow('tensor "score.weight" is missing');
  });
});
