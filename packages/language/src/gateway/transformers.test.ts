import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { loadModel } from "../models/folder.ts";
import { Gateway } from "./gateway.ts";
import { handler } from "./handler.ts";
import { idTokenizer } from "./testing.ts";

const python = process.env.REINS_PYTHON || "python3";
const hasTransformers = spawnSync(python, ["-c", "import torch, transformers"]).status === 0;

/** Writes a folder with random weights for each family, and prints greedy continuations of prompts of several lengths. */
const program = `
import json, sys, torch
from transformers import AutoConfig, AutoModelForCausalLM
torch.set_num_threads(1)
small = dict(vocab_size=97, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2,
             intermediate_size=48, head_dim=8, max_position_embeddings=96, initializer_range=0.4,
             pad_token_id=None, bos_token_id=None, eos_token_id=None)
families = {name: small for name in "llama mistral qwen2 qwen3 gemma gemma2 gemma3_text phi3 smollm3 olmo2".split()}
families["gpt2"] = dict(vocab_size=97, n_embd=32, n_layer=2, n_head=4, n_positions=96, initializer_range=0.4,
                        bos_token_id=None, eos_token_id=None)
found = {}
for seed, (name, options) in enumerate(families.items()):
    torch.manual_seed(seed)
    config = AutoConfig.for_model(name, **options)
    model = AutoModelForCausalLM.from_config(config, attn_implementation="eager").float().eval()
    model.save_pretrained(sys.argv[1] + "/" + name)
    texts = []
    for length in (1, 5, 17, 40):
        prompt = torch.randint(0, 97, (1, length))
        with torch.no_grad():
            for _ in range(24):
                logits = model(prompt).logits[0, -1]
                prompt = torch.cat([prompt, logits.argmax().view(1, 1)], 1)
        texts.append({"length": length, "tokens": prompt[0].tolist()})
    found[name] = texts
print(json.dumps(found))
`;

it.skipIf(!hasTransformers)(
  "gives the greedy continuations of models that transformers has just written, for every family",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "reins-transformers-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const out = execFileSync(python, ["-c", program, folder], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    const found = JSON.parse(out) as { [name: string]: { length: number; tokens: number[] }[] };
    const models = await Promise.all(
      Object.keys(found).map(async (model) => {
        const start = await loadModel(join(folder, model));
        return { start, tokenizer: idTokenizer(start.options.vocabulary), rows: 4, model };
      }),
    );
    expect(models).toHaveLength(11);
    const gateway = new Gateway(...models);
    gateway.open("key", { greedy: true, passing: true });
    const ask = async (model: string, prompt: number[]) => {
      const headers = { authorization: "Bearer key" };
      const body = JSON.stringify({ model, prompt, max_tokens: 24 });
      const request = new Request("http://localhost/v1/completions", { method: "POST", headers, body });
      const { choices } = await (await handler(gateway)(request)).json();
      return choices[0].text.trim().split(" ").map(Number);
    };
    // All at once: prompts of different lengths share a batch.
    const replies = await Promise.all(
      Object.entries(found).flatMap(([model, texts]) =>
        texts.map(async ({ length, tokens }) => ({
          model,
          length,
          reply: await ask(model, tokens.slice(0, length)),
          expected: tokens.slice(length),
        })),
      ),
    );
    expect(replies.map(({ model, length, reply }) => ({ model, length, reply }))).toEqual(
      replies.map(({ model, length, expected }) => ({ model, length, reply: expected })),
    );
  },
  600_000,
);
