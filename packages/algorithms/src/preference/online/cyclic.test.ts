import { type Algorithm, Run, text } from "@reins/core";
import { characters, type LanguageModel, newModel, textStage, textTask } from "@reins/language";
import type { GptParams } from "@reins/nn";
import { random, setBackend } from "@reins/tensor";
import { beforeAll, describe, expect, it } from "vitest";
import { rounds } from "../../post-training/testing.ts";
import { sft } from "../../sft.ts";
import { egpo } from "./egpo.ts";
import { inpo } from "./inpo.ts";
import { nashMd } from "./nash-md.ts";
import { onlineSppo } from "./online-sppo.ts";

setBackend("wasm");

const moves = ["r", "p", "s"];
const demonstrated = [0.7, 0.2, 0.1];
/** Rock beats scissors, scissors beat paper, paper beats rock: no reward expresses it. Other answers lose. */
function wins(one: string, other: string): number {
  const [i, j] = [moves.indexOf(one), moves.indexOf(other)];
  if (i === j) return 0.5;
  return i < 0 || j < 0 ? Number(i >= 0) : Number((i - j + 3) % 3 === 1);
}

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
  const stage = textStage({ task, level: 1, start: fresh, tokenizer, rows: 32 });
  const { answers } = await stage.evaluate(params, { episodes: 500, greedy: false });
  return moves.map((move) => answers!.filter(({ answer }) => answer === move).length / 500);
}

const normalised = (weights: readonly number[]) => {
  const total = weights.reduce((a, b) => a + b, 0);
  return weights.map((w) => w / total);
};

/** π ∝ π₀ exp(P(· ≻ opponent) / τ), against an opponent that depends on π. */
function equilibrium(
  reference: readonly number[],
  anchor: number,
  opponentOf = (policy: readonly number[]) => policy,
): number[] {
  let policy = [...reference];
  for (let i = 0; i < 5000; i++) {
    const opponent = opponentOf(policy);
    const rates = moves.map((one) =>
      moves.reduce((sum, other, j) => sum + wins(one, other) * opponent[j], 0),
    );
    const best = normalised(reference.map((p, k) => p * Math.exp(rates[k] / anchor)));
    policy = policy.map((p, k) => 0.95 * p + 0.05 * best[k]);
  }
  return policy;
}

/** The geometric mixture of a policy with the reference, which has this weight. */
const mixture = (reference: readonly number[], weight: number) => (policy: readonly number[]) =>
  normalised(policy.map((p, k) => p ** (1 - weight) * reference[k] ** weight));

/** A game: a method, its rounds before the mean is taken, and the equilibrium that it defines. */
interface Game {
  readonly algorithm: Algorithm;
  readonly rounds: number;
  readonly equilibrium: (reference: readonly number[]) => number[];
}

const games: { readonly [name: string]: Game } = {
  INPO: {
    algorithm: inpo({ groups: 32, learningRate: 1e-3, step: 1, anchor: 0.3 }),
    rounds: 60,
    equilibrium: (reference) => equilibrium(reference, 0.3),
  },
  EGPO: {
    algorithm: egpo({ groups: 32, learningRate: 1e-3, beta: 0.3 }),
    rounds: 60,
    equilibrium: (reference) => equilibrium(reference, 0.3),
  },
  "Nash-MD": {
    algorithm: nashMd({ groups: 64, learningRate: 2e-3, anchor: 0.3, mixture: 0.5 }),
    rounds: 60,
    equilibrium: (reference) => equilibrium(reference, 0.3, mixture(reference, 0.5)),
  },
  // Multiplicative weights without a penalty: the policies cycle, and their mean approaches the equilibrium.
  SPPO: {
    algorithm: onlineSppo({ groups: 32, learningRate: 1e-3, step: 1 }),
    rounds: 0,
    equilibrium: () => [1 / 3, 1 / 3, 1 / 3],
  },
};

describe("self-play in rock, paper, scissors", () => {
  let start: GptParams;
  let reference: number[];
  beforeAll(async () => {
    const imitated = new Run({
      algorithm: sft({ learningRate: 1e-2, validation: 0 }),
      env: env(fresh),
      steps: 4000,
      seed: 1,
    });
    await imitated.advanceAsync();
    start = weightsOf(imitated);
    reference = await shares(start);
  });

  it.each(Object.entries(games))(
    "%s approaches its equilibrium, which differs from the start",
    async (_, game) => {
      const run = new Run({
        algorithm: game.algorithm,
        env: env({ ...fresh, params: start }),
        steps: 1e9,
        seed: 3,
      });
      await rounds(run, game.rounds);
      const mean = [0, 0, 0];
      for (let i = 0; i < 24; i++) {
        await rounds(run, 5);
        (await shares(weightsOf(run))).forEach((p, k) => (mean[k] += p / 24));
      }
      const expected = game.equilibrium(reference);
      expect(Math.abs(reference[0] - expected[0])).toBeGreaterThan(0.15);
      mean.forEach((p, k) => expect(Math.abs(p - expected[k]), moves[k]).toBeLessThan(0.08));
    },
  );
});
