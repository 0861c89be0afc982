import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { random } from "@reins/tensor";
import { describe, expect, it, onTestFinished } from "vitest";
import { newModel } from "../models/language-model.ts";
import { lora } from "../models/lora.ts";
import { loadReward, saveReward } from "../models/reward-folder.ts";
import { rewardHead } from "../models/reward-model.ts";
import { TextRewards } from "./text-rewards.ts";

const python = process.env.REINS_PYTHON || "python3";
const hasTransformers = spawnSync(python, ["-c", "import torch, transformers"]).status === 0;

/** Texts of several lengths; the padding token 0 occurs only at the end. */
const texts = [[5, 17, 3, 96, 41, 8], [12], [7, 7, 60, 1, 2, 33, 34, 35, 90], [9, 4]];
const padded = texts.map((text) => [...text, ...Array(9 - text.length).fill(0)]);

/** Loads or creates models for sequence classification and prints their logits of the padded texts. */
const program = `
import json, sys, torch
from transformers import AutoConfig, AutoModelForSequenceClassification
torch.set_num_threads(1)
at, mode, texts = sys.argv[1], sys.argv[2], torch.tensor(json.loads(sys.argv[3]))
found = {}
if mode == "write":
    small = dict(vocab_size=97, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2,
                 intermediate_size=48, head_dim=8, max_position_embeddings=64, initializer_range=0.4,
                 pad_token_id=0, bos_token_id=None, eos_token_id=None, num_labels=1)
    families = {name: small for name in "llama mistral qwen2 qwen3 gemma gemma2 phi3 smollm3".split()}
    families["gpt2"] = dict(vocab_size=97, n_embd=32, n_layer=2, n_head=4, n_positions=64, initializer_range=0.4,
                            bos_token_id=None, eos_token_id=None, pad_token_id=0, num_labels=1)
    for seed, (name, options) in enumerate(families.items()):
        torch.manual_seed(seed)
        config = AutoConfig.for_model(name, **options)
        AutoModelForSequenceClassification.from_config(config).float().save_pretrained(at + "/" + name)
        found[name] = None
else:
    found = {name: None for name in mode.split(",")}
for name in found:
    model = AutoModelForSequenceClassification.from_pretrained(at + "/" + name, attn_implementation="eager").float().eval()
    with torch.no_grad():
        found[name] = model(texts, attention_mask=(texts != 0).long()).logits.tolist()
print(json.dumps(found))
`;

const printed = (at: string, mode: string) =>
  JSON.parse(
    execFileSync(python, ["-c", program, at, mode, JSON.stringify(padded)], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }),
  ) as { readonly [name: string]: number[][] };

function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), "reins-classification-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const expectEqual = (found: readonly Float32Array[], expected: readonly number[][], name: string) =>
  found.forEach((heads, i) =>
    heads.forEach((x, h) => {
      const gap = Math.abs(x - expected[i][h]);
      expect(gap, `${name}, text ${i}: ${x}, expected ${expected[i][h]}`).toBeLessThan(
        1e-4 * Math.max(1, Math.abs(x)),
      );
    }),
  );

describe.skipIf(!hasTransformers)("reward models of transformers", () => {
  it("have the same logits here, for every family", { timeout: 240_000 }, async () => {
    const at = temporary();
    for (const [name, logits] of Object.entries(printed(at, "write"))) {
      const model = await loadReward(join(at, name));
      expect(model.padding).toBe(0);
      // Here texts end where they end; padding that is given is skipped too.
      expectEqual(new TextRewards(model).of(texts), logits, name);
      expectEqual(new TextRewards(model).of(padded), logits, `${name}, padded`);
    }
  });

  it("have the same logits there: one head, an ensemble and merged adapters", {
    timeout: 240_000,
  }, async () => {
    const at = temporary();
    const shape = { layers: 2, width: 32, heads: 4, context: 64, vocabulary: 97, deviation: 0.3 } as const;
    const llama = newModel({ ...shape, style: "llama" }, random.key(1));
    const tuned = lora(llama, { rank: 4 }, random.key(2));
    for (const block of tuned.params.blocks)
      for (const adapter of Object.values(block.attention.qkv.adapters ?? {})) adapter.up.data.fill(0.1);
    const models = {
      one: rewardHead(llama, random.key(3), { padding: 0 }),
      three: rewardHead(llama, random.key(4), { heads: 3, padding: 0 }),
      gpt2: rewardHead(newModel(shape, random.key(5)), random.key(6), { padding: 0 }),
      adapters: rewardHead(tuned, random.key(7), { padding: 0 }),
    };
    const plain = new TextRewards(rewardHead(llama, random.key(7))).of(texts);
    expect(new TextRewards(models.adapters).of(texts)).not.toEqual(plain);
    for (const [name, model] of Object.entries(models)) await saveReward(join(at, name), model);
    const logits = printed(at, Object.keys(models).join());
    for (const [name, model] of Object.entries(models)) {
      expectEqual(new TextRewards(model).of(texts), logits[name], name);
      expectEqual(
        new TextRewards(await loadReward(join(at, name))).of(texts),
        logits[name],
        `${name}, loaded`,
      );
    }
  });
});
