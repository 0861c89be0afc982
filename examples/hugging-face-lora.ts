/**
 * Trains LoRA adapters on the model of a Hugging Face folder by reinforcement learning, merges them, and writes a folder.
 *
 *     npx vite-node examples/hugging-face-lora.ts [folder] [task] [--quick]
 *
 * The folder contains config.json, model.safetensors and tokenizer.json of a GPT-2, Llama, Mistral or Qwen model. Without a folder, a tiny
 * model is first trained by imitation of the task.
 */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { grpo, leaves, train } from "reins";
import { loadModel } from "reins/language";
import { percent, quick, shows } from "./show.ts";

const [given, task = "arithmetic"] = process.argv.slice(2).filter((a) => !a.startsWith("--"));
const work = mkdtempSync(join(tmpdir(), "reins-lora-"));
const level = 1;

/** A tiny model that solves the task partly. */
async function imitated(folder: string): Promise<string> {
  console.log(`No folder given: training a tiny model on ${task} first.`);
  const model = await train({
    algorithm: "sft",
    env: task,
    envOptions: { level },
    steps: quick ? 1000 : 75_000,
    evalEpisodes: 0,
    onProgress: shows(),
  });
  await model.saveModel(folder);
  return folder;
}

const folder = given ?? (await imitated(join(work, "imitated")));
const { params, config } = await loadModel(folder);
const weights = leaves(params).reduce((sum, t) => sum + t.size, 0);
console.log(`\n${folder}: a model of the family ${config?.model_type} with ${weights} weights.`);

const agent = await train({
  algorithm: grpo({
    learningRate: 1e-3,
    groups: quick ? 2 : 32,
    groupSize: quick ? 4 : 16,
    epochs: 1,
    clipNorm: 1,
  }),
  env: task,
  envOptions: { folder, lora: 8, level, rows: quick ? 8 : 256 },
  steps: quick ? 60 : 150_000,
  evalEpisodes: quick ? 8 : 200,
  onProgress: shows(),
});
const learned = leaves(agent.run.process.acting!.weights).reduce((sum, t) => sum + t.size, 0);
console.log(
  `${learned} numbers were learned. They solve ${percent(agent.return.mean)} of problems never seen.`,
);

const result = join(work, "reinforced");
await agent.saveModel(result);
console.log(`The whole model is in ${result}. Go on from there: reins train grpo ${task} --model ${result}`);
