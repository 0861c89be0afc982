import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { loadavg } from "node:os";
import { fileURLToPath } from "node:url";
import type { Columns } from "@reins/core";
import { initTrainState, learnFrom } from "@reins/core/loops";
import * as losses from "@reins/core/losses";
import { type LanguageModel, languagePolicy, loadModel, lora, newModel } from "@reins/language";
import { adamW } from "@reins/nn";
import { compile, random, slice, type Tensor, tensor } from "@reins/tensor";
import { readArguments } from "../arguments.ts";
import { tokens } from "../noise.ts";
import { python } from "../side.ts";

export const loraHelp = `npm run bench -- lora [--folder <model>] [--texts 8] [--tokens 256] [--parts 8] [--rank 8] [--steps 3] [--load <rounds>]
Trains LoRA adapters on a model of the shape of Qwen2.5-0.5B, with random weights or those of a folder: seconds per step, and peak memory.
With --load, measures the time from the folder to the first logits instead, alternating with the transformers library (REINS_PYTHON) in separate processes.`;

/** Qwen2.5-0.5B. */
const shape = {
  style: "llama",
  layers: 24,
  width: 896,
  heads: 14,
  keyHeads: 2,
  hidden: 4864,
  vocabulary: 151_936,
  context: 32_768,
  rotary: { base: 1e6 },
  bias: true,
  outputBias: false,
  tied: true,
} as const;

/** A field of /proc/self/status, in MiB. */
function memory(field: "VmHWM" | "VmRSS"): number {
  const found = new RegExp(`${field}:\\s*(\\d+) kB`).exec(readFileSync("/proc/self/status", "utf8"));
  return Number(found?.[1] ?? Number.NaN) / 1024;
}

const seconds = (since: number) => ((performance.now() - since) / 1e3).toFixed(2);

/** Measures and prints. */
export async function loraSuite(args: readonly string[]): Promise<void> {
  const names = ["--folder", "--texts", "--tokens", "--parts", "--rank", "--steps", "--load"];
  const { values } = readArguments(args, names, []);
  const count = (name: string, usual: number) => {
    const value = Number(values.get(name) ?? usual);
    if (!(Number.isInteger(value) && value >= 1))
      throw new Error(`${name} must be a whole number of at least 1.`);
    return value;
  };
  const folder = values.get("--folder");
  if (values.has("--load")) {
    if (folder === undefined) throw new Error("--load needs --folder.");
    return loading(folder, count("--load", 3));
  }
  const began = performance.now();
  const base = folder === undefined ? newModel(shape, random.key(0)) : await loadModel(folder);
  console.log(
    `model ${folder ? "read" : "made"} in ${seconds(began)} s; ${memory("VmRSS").toFixed(0)} MiB resident`,
  );
  const [texts, length] = [count("--texts", 8), count("--tokens", 256)];
  train(base, {
    texts,
    length,
    parts: count("--parts", texts),
    rank: count("--rank", 8),
    steps: count("--steps", 3),
  });
}

interface Training {
  readonly texts: number;
  readonly length: number;
  readonly parts: number;
  readonly rank: number;
  readonly steps: number;
}

/** Trains on texts whose second half enters the loss, like an answer. */
function train(base: LanguageModel, { texts, length, parts, rank, steps }: Training): void {
  const { vocabulary } = base.options;
  const start = lora(base, { rank }, random.key(1));
  const policy = languagePolicy(start);
  const optimiser = adamW({});
  const learned = initTrainState(policy.init(random.key(2)), optimiser);
  const drawn = tokens(texts * (length + 1), 3, vocabulary);
  const column = (shift: number) =>
    tensor(
      Int32Array.from(
        { length: texts * length },
        (_, i) => drawn[(i % texts) * (length + 1) + Math.floor(i / texts) + shift],
      ),
      {
        shape: [length, texts],
      },
    );
  const columns: Columns = {
    observation: column(0),
    action: column(1),
    alive: tensor(
      Uint8Array.from({ length: texts * length }, (_, i) => (i >= (texts * length) / 2 ? 1 : 0)),
      {
        shape: [length, texts],
        dtype: "bool",
      },
    ),
  };
  const learning = {
    loss: losses.behaviourCloning(),
    optimiser,
    learningRate: 1e-4,
    clipNorm: 1,
    epochs: 1,
    minibatches: 1,
    accumulate: parts,
    normalise: "none",
  } as const;
  const began = performance.now();
  const bound = compile(
    (now: typeof learned, all: Columns, key: Tensor) =>
      learnFrom(learning, { policy, learned: now, columns: all, key }),
    { name: "adapters", donate: [0] },
  ).bind(learned, columns, random.key(4));
  console.log(`compiled in ${seconds(began)} s`);
  for (let i = 0; i < steps; i++) {
    const then = performance.now();
    bound.run();
    const loss = bound.result.metrics["loss/total"].item();
    console.log(`step ${i + 1}: ${seconds(then)} s, loss ${loss.toFixed(4)}`);
  }
  console.log(
    `${texts} texts of ${length} tokens in ${parts} parts, rank ${rank}: at most ${memory("VmHWM").toFixed(0)} MiB resident; load average ${loadavg()
      .map((l) => l.toFixed(2))
      .join(" ")}`,
  );
}

/** Prompts for the first logits. */
const prompt = [9707, 11, 1246, 525, 498, 30, 358, 1079, 264, 4128, 1614, 13, 3555, 374, 697, 829];

/** Loads the folder and computes logits in a new process: one round of the comparison. */
export async function readOnce(folder: string): Promise<void> {
  const began = performance.now();
  const { model, params } = await loadModel(folder);
  const read = performance.now();
  const call = compile(
    (t: Tensor) => slice(model.apply(params, t), [null, [prompt.length - 1, prompt.length]]),
    {
      name: "first logits",
    },
  );
  const first = call(tensor([prompt], { dtype: "i32" })).data[0];
  const [a, b] = [read - began, performance.now() - began].map((ms) => (ms / 1e3).toFixed(2));
  console.log(JSON.stringify({ read: Number(a), logits: Number(b), first, resident: memory("VmHWM") }));
}

const theirs = `
import json, sys, time
began = time.time()
import torch, transformers
loaded = time.time()
model = transformers.AutoModelForCausalLM.from_pretrained(sys.argv[1], dtype=torch.float32)
read = time.time()
with torch.no_grad(): first = model(torch.tensor([json.loads(sys.argv[2])])).logits[0, -1, 0].item()
now = time.time()
print(json.dumps({"import": loaded - began, "read": read - loaded, "logits": now - loaded, "first": first}))
`;

/** Alternates both sides, so that other load affects both. */
function loading(folder: string, rounds: number): void {
  const program = fileURLToPath(new URL("./read-once.js", import.meta.url));
  for (let i = 0; i < rounds; i++) {
    const ours = spawnSync(process.execPath, [program, folder], { encoding: "utf8" });
    console.log("ours        ", ours.status === 0 ? ours.stdout.trim() : ours.stderr);
    const peer = spawnSync(python(), ["-c", theirs, folder, JSON.stringify(prompt)], { encoding: "utf8" });
    console.log("transformers", peer.status === 0 ? peer.stdout.trim() : peer.stderr.slice(-400));
  }
  console.log(
    `load average ${loadavg()
      .map((l) => l.toFixed(2))
      .join(" ")}`,
  );
}
