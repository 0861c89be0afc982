import { ppo } from "@reins/algorithms";
import { Run } from "@reins/core";
import { make } from "@reins/envs";
import { newModel } from "@reins/language";
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

/** Trainings: PPO in both kinds of environments, and a language model. */
export const training: Section = async function* (count) {
  const trainings = {
    "PPO on CartPole as one function": (b: BackendName) => ppoOn(b, true),
    "PPO on CartPole stepped on the host": (b: BackendName) => ppoOn(b, false),
    "a language model": gpt,
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
