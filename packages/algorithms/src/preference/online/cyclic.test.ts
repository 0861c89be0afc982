import { Run, text } from "@reins/core";
import { characters, type LanguageModel, newModel, textStage, textTask } from "@reins/language";
import type { GptParams } from "@reins/nn";
import { random, setBackend } from "@reins/tensor";
import { expect, it } from "vitest";
import { rounds } from "../../post-training/testing.ts";
import { sft } from "../../sft.ts";
import { inpo } from "./inpo.ts";

setBackend("wasm");

const moves = ["r", "p", "s"];
const demonstrated = [0.7, 0.2, 0.1];
/** Rock beats scissors, scissors beat paper, paper beats rock: no reward expresses it. */
const wins = (one: string, other: string) => (one === other ? 0.5 : Number("rspr".includes(one + other)));

const task = textTask<object>({
  id: "hands",
  about: "Play a hand.",
  levels: 1,
  alphabet: "rps:",
  longest: { prompt: 1, answer: 1 },
  make(generator) {
    const x = generator.random();
    const answer = x < demonstrated[0] ? "r" : x < demonstrated[0] + demonstrated[1] ? "p" : "s";
    return { prompt: ":", answer, key: String(x), data: {} };
  },
  verify: () => ({ score: 0 }),
  prefer: (_, one, other) => wins(one, other),
});
const tokenizer = characters(task.alphabet);
const fresh = newModel(
  { layers: 1, width: 16, heads: 2, context: 4, vocabulary: tokenizer.size, style: "llama" },
  random.key(1),
);
const env = (start: LanguageModel) => ({
  spec: { id: "hands", observation: text(1), action: text(2) },
  stage: textStage({ task, level: 1, start, tokenizer, rows: 32 }),
});
const weightsOf = (run: Run) => run.process.acting!.weights as GptParams;

/** How often each move is played. */
async function shares(params: GptParams): Promise<number[]> {
  const of = async (move: string) => {
    const own = { ...task, verify: (_: object, answer: string) => ({ score: Number(answer === move) }) };
    const stage = textStage({ task: own, level: 1, start: fresh, tokenizer, rows: 32 });
    return (await stage.evaluate(params, { episodes: 500, greedy: false })).mean;
  };
  return [await of("r"), await of("p"), await of("s")];
}

/** The equilibrium of the game with a KL penalty: π ∝ π₀ exp(P(· ≻ π) / τ). */
function equilibrium(reference: readonly number[], anchor: number): number[] {
  let policy = [...reference];
  for (let i = 0; i < 5000; i++) {
    const rates = moves.map((one) => moves.reduce((sum, other, j) => sum + wins(one, other) * policy[j], 0));
    const weights = reference.map((p, k) => p * Math.exp(rates[k] / anchor));
    const total = weights.reduce((a, b) => a + b, 0);
    policy = policy.map((p, k) => 0.95 * p + (0.05 * weights[k]) / total);
  }
  return policy;
}

it("INPO approaches the equilibrium of cyclic preferences, which differs from its start", async () => {
  const imitated = new Run({
    algorithm: sft({ learningRate: 1e-2, validation: 0 }),
    env: env(fresh),
    steps: 4000,
    seed: 1,
  });
  await imitated.advanceAsync();
  const start = weightsOf(imitated);
  const algorithm = inpo({ groups: 32, learningRate: 1e-3, step: 1, anchor: 0.3 });
  const run = new Run({ algorithm, env: env({ ...fresh, params: start }), steps: 1e9, seed: 3 });
  const reference = await shares(start);
  await rounds(run, 60);
  const mean = [0, 0, 0];
  for (let i = 0; i < 4; i++) {
    await rounds(run, 15);
    (await shares(weightsOf(run))).forEach((p, k) => (mean[k] += p / 4));
  }
  const expected = equilibrium(reference, 0.3);
  expect(Math.abs(reference[0] - expected[0])).toBeGreaterThan(0.15);
  mean.forEach((p, k) => expect(Math.abs(p - expected[k]), moves[k]).toBeLessThan(0.08));
});
