import { grpo, ppo, sft } from "@reins/algorithms";
import { phases, Run, text } from "@reins/core";
import { make } from "@reins/envs";
import { arithmetic, characters, newModel, textStage } from "@reins/language";
import { adamW, clipGlobalNorm, type GptParams, type OptimiserState } from "@reins/nn";
import {
  type BackendName,
  compile,
  crossEntropy,
  leaves,
  random,
  setBackend,
  type Tensor,
  type Tree,
  tensor,
  valueAndGradient,
} from "@reins/tensor";
import { differences, type Result, readAll } from "./agreement.ts";
import { attempt, type Section } from "./section.ts";

/** Weights after several updates: an update passes on the differences of those before. */
const tolerance = 1e-3;

/** Weights and returns of a few updates of PPO on CartPole, whose whole round is one function, or only its updates. */
async function cartPole(
  backend: BackendName,
  traced: boolean,
): Promise<{ weights: Result[]; row: number[] }> {
  setBackend(backend);
  const id = "CartPole-v1";
  const options = traced ? { traced } : {};
  const env = {
    spec: make(id, { rows: 1, ...options }).spec,
    make: (rows: number) => make(id, { rows, ...options }),
  };
  const algorithm = ppo({ hidden: [32, 32], envs: 8, steps: 64, epochs: 2 });
  const run = new Run({ algorithm, env, steps: 4 * 8 * 64, seed: 1 });
  await run.advanceAsync();
  const { metrics } = run;
  setBackend("wasm");
  return {
    weights: await readAll(leaves(run.process.acting?.weights as Tree)),
    row: ["return/mean", "loss/value", "policy/entropy"].map((name) => metrics[name]),
  };
}

/** Imitation, then reinforcement, of a small language model: its weights. */
async function words(backend: BackendName): Promise<Result[]> {
  setBackend(backend);
  const tokenizer = characters(arithmetic.alphabet);
  const start = newModel(
    { layers: 1, width: 16, heads: 2, context: 32, vocabulary: tokenizer.size, style: "llama" },
    random.key(1),
  );
  const stage = textStage({ task: arithmetic, level: 1, start, tokenizer });
  const spec = { id: "arithmetic", observation: text(9), action: text(9) };
  const algorithm = phases("both", [
    { algorithm: sft({ batch: 16 }), steps: 64 },
    { algorithm: grpo({ groups: 2, groupSize: 4, epochs: 1 }), steps: 16 },
  ]);
  const run = new Run({ algorithm, env: { spec, stage }, steps: 80, seed: 1 });
  await run.advanceAsync();
  setBackend("wasm");
  return readAll(leaves(run.process.acting?.weights as Tree));
}

/** Five updates of a small language model: weights, moments and the loss. */
async function gpt(backend: BackendName): Promise<Result[]> {
  const { vocabulary, batch, tokens } = { vocabulary: 40, batch: 2, tokens: 8 };
  const { model, params } = newModel(
    { vocabulary, width: 16, layers: 1, heads: 2, context: tokens, style: "llama" },
    random.key(0),
  );
  const optimiser = adamW({ learningRate: 3e-4, weightDecay: 0.01 });
  const differentiated = valueAndGradient((p: GptParams, x: Tensor, y: Tensor) =>
    crossEntropy(model.apply(p, x), y),
  );
  const step = compile(
    (p: GptParams, state: OptimiserState<GptParams>, x: Tensor, y: Tensor) => {
      const { value, gradient } = differentiated(p, x, y);
      return { ...optimiser.update(clipGlobalNorm(gradient, 1).gradients, state, p), loss: value };
    },
    { name: "language training", donate: [0, 1], backend },
  );
  const [x, y] = [7, 11].map((m) =>
    tensor(
      Int32Array.from({ length: batch * tokens }, (_, i) => (i * m + (i % 5)) % vocabulary),
      { shape: [batch, tokens] },
    ),
  );
  const first = [params as GptParams, optimiser.init(params as GptParams)] as const;
  await step.ready(...first, x, y);
  const bound = step.bind(...first, x, y);
  for (let i = 0; i < 5; i++) bound.run();
  const results = await readAll(leaves(bound.result as Tree));
  bound.dispose();
  return results;
}

/** Trainings: PPO in both kinds of environments, and language models. */
export const training: Section = async function* (count) {
  const trainings = {
    "PPO on CartPole as one function": (b: BackendName) => ppoOn(b, true),
    "PPO on CartPole stepped on the host": (b: BackendName) => ppoOn(b, false),
    "updates of a language model": gpt,
    "SFT and GRPO": words,
  };
  const ppoOn = async (backend: BackendName, traced: boolean): Promise<Result[]> => {
    const { weights, row } = await cartPole(backend, traced);
    return [...weights, { dtype: "f32", shape: [row.length], data: Float32Array.from(row) }];
  };
  for (const [what, run] of Object.entries(trainings).slice(0, count))
    yield {
      what,
      ...(await attempt(async () => differences(await run("webgpu"), await run("wasm"), tolerance))),
    };
};
