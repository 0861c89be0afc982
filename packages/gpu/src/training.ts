import { readFileSync } from "node:fs";
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
import { sameRuns, weightsDigest } from "../../algorithms/dist/testing-runs.js";
import { digestOf } from "../../tensor/dist/testing/digest.js";
import { weightsAfter } from "./loop.ts";
import { type Row, type Section, timed } from "./section.ts";

const file = new URL("../../algorithms/fixtures/bits.json", import.meta.url);

const compared = (what: string, got: string, want: string, seconds: number): Row => ({
  what,
  result:
    got === want ? `equal weights in ${seconds.toFixed(1)} s` : `weights differ: ${got} instead of ${want}`,
  failed: got !== want,
});

/** Short runs of PPO, DQN, SAC, TD3 and GRPO, whose weights are known. */
export const runs: Section = {
  name: "runs",
  *rows() {
    const want = JSON.parse(readFileSync(file, "utf8")) as Record<string, string>;
    setBackend("cuda");
    for (const [name, run] of Object.entries(sameRuns)) {
      const { value, seconds } = timed(() => weightsDigest(run()));
      yield compared(name, value, want[name], seconds);
    }
  },
};

const cartPole = (): string => {
  const id = "CartPole-v1";
  const env = { spec: make(id, { rows: 1 }).spec, make: (rows: number) => make(id, { rows }) };
  const algorithm = ppo({ hidden: [64, 64], envs: 8, steps: 128 });
  const run = new Run({ algorithm, env, steps: 5 * 8 * 128, seed: 1 });
  run.advance();
  return digestOf(leaves(run.process.acting?.weights as Tree));
};

/** Five updates of a small language model: its weights, and seconds per later update. */
function gpt(backend: BackendName, large: boolean): { digest: string; step: number } {
  const size = large
    ? { vocabulary: 512, width: 256, layers: 4, heads: 4, batch: 8, tokens: 128 }
    : { vocabulary: 40, width: 16, layers: 1, heads: 2, batch: 2, tokens: 8 };
  const { vocabulary, width, layers, heads, tokens } = size;
  const { model, params } = newModel(
    { vocabulary, width, layers, heads, context: tokens, style: "llama" },
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
  const shape = [size.batch, tokens];
  const [x, y] = [7, 11].map((m) =>
    tensor(
      Int32Array.from({ length: size.batch * tokens }, (_, i) => (i * m + (i % 5)) % vocabulary),
      { shape },
    ),
  );
  const bound = step.bind(params as GptParams, optimiser.init(params as GptParams), x, y);
  for (let i = 0; i < 5; i++) bound.run();
  const digest = digestOf(leaves(bound.result as Tree));
  const { seconds } = timed(() => {
    for (let i = 0; i < 5; i++) bound.run();
    bound.result.loss.item();
  });
  bound.dispose();
  return { digest, step: seconds / 5 };
}

/** PPO on CartPole and a language model, on the GPU and the CPU. */
export const training: Section = {
  name: "training",
  *rows({ fastest, large }): Iterable<Row> {
    setBackend(fastest);
    const want = timed(cartPole);
    setBackend("cuda");
    const got = timed(cartPole);
    yield {
      ...compared("PPO on CartPole, five updates", got.value, want.value, got.seconds),
      numbers: { gpuSeconds: got.seconds, cpuSeconds: want.seconds },
    };
    const chunks = large
      ? { hidden: [64, 64], envs: 1024, steps: 32, epochs: 4, minibatches: 4 }
      : { hidden: [8, 8], envs: 96, steps: 32, epochs: 1, minibatches: 2 };
    const inChunks = timed(() => weightsAfter("cuda", 3, chunks));
    const what = "PPO on CartPole, minibatches in chunks, three updates";
    yield compared(what, inChunks.value, weightsAfter(fastest, 3, chunks), inChunks.seconds);
    const [gpu, cpu] = [gpt("cuda", large), gpt(fastest, large)];
    yield {
      ...compared("language model, five updates", gpu.digest, cpu.digest, 5 * gpu.step),
      numbers: { gpuMs: gpu.step * 1e3, cpuMs: cpu.step * 1e3 },
    };
  },
};
