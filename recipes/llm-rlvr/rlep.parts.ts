import { grpo } from "@reins/algorithms";
import type { Episode, JudgedEpisode, Selection } from "@reins/core";
import { groupEpisodes, makers, ownSteps, scoreOf } from "@reins/core/episodes";
import type { EpisodicParts } from "@reins/core/loops";
import { defaultRng, stream } from "@reins/core/random";
import type { Trial, WarmStart } from "@reins/recipes";
import { type Tensor, tensor } from "@reins/tensor";
import { arm } from "../testbeds/sums.ts";

/** Tokens of correct answers, by the prompt of their problem. */
export interface Pool {
  readonly [prompt: string]: readonly (readonly number[])[];
}

const policy = makers.indexOf("policy");
const columnsOf = ({ columns }: Episode) => columns as { readonly [name: string]: Tensor };

/** The tokens that the policy chose. */
export function tokensOf(episode: Episode): number[] {
  const { action, by } = columnsOf(episode);
  return Array.from(action.data).filter((_, i) => by.data[i] === policy);
}

/** A correct answer with these tokens to the problem of another sample. Its log-probabilities are not known. */
export function replayed({ episode }: JudgedEpisode, tokens: readonly number[]): JudgedEpisode {
  const { observation, action, by } = columnsOf(episode);
  const first = Array.from(by.data).indexOf(policy);
  const before = (column: Tensor, count: number) => Array.from(column.data.subarray(0, count));
  const length = first + tokens.length;
  const whole = (values: readonly number[]) => tensor(Int32Array.from(values), { dtype: "i32" });
  return {
    episode: {
      columns: {
        observation: whole([...before(observation, first + 1), ...tokens.slice(0, -1)]),
        action: whole([...before(action, first), ...tokens]),
        logProb: tensor(new Float32Array(length)),
        version: tensor(new Int32Array(length), { dtype: "i32" }),
        by: tensor(Uint8Array.from([...before(by, first), ...tokens.map(() => policy)]), { dtype: "u8" }),
      },
      segments: [{ from: 0, to: length }],
      terminated: true,
      truncated: false,
      return: [],
      group: episode.group,
      problem: episode.problem,
    },
    verdict: { reward: 1 },
    reward: 1,
  };
}

/** Joins two correct answers of the pool to each group. */
export function replaying(pool: Pool, seed: number): Selection {
  const random = defaultRng(stream(seed, "replay"));
  return {
    select: (judged) =>
      groupEpisodes(judged).flatMap((group) => {
        const answers = pool[group[0].episode.problem ?? ""] ?? [];
        const chosen = [...random.permutation(answers.length)].slice(0, 2);
        return [...group, ...chosen.map((i) => replayed(group[0], answers[i]))];
      }),
  };
}

/** Replay, with the current policy as the behaviour policy of all answers: as in the authors' program, ratios begin at 1. */
export const withReplay = (pool: Pool, seed: number) => (): Partial<EpisodicParts> => ({
  selection: replaying(pool, seed),
  look: (scored) => ({ logProb: scored.logProb }),
});

/** Settings of phase one: those of the tuned baseline. */
const settings = { learningRate: 5e-4, epochs: 4, groupSize: 6 };

/** Phase one: a run of GRPO, whose correct answers in the last quarter are collected, eight different ones of each problem at most. */
export const experience = (trial: Trial): WarmStart<Pool> => ({
  name: "experience-sums",
  module: import.meta.url,
  inputs: { seed: trial.seed, budget: trial.budget, quick: trial.quick, settings },
  async make() {
    const pool = new Map<string, Map<string, number[]>>();
    let tokens = 0;
    const collecting: Selection = {
      select(judged) {
        tokens += judged.reduce((sum, j) => sum + ownSteps(j.episode), 0);
        if (tokens >= 0.75 * trial.budget)
          for (const j of judged.filter((j) => scoreOf(j) >= 1)) {
            const name = j.episode.problem ?? "";
            const own = pool.get(name) ?? new Map<string, number[]>();
            const answer = tokensOf(j.episode);
            if (own.size < 8) own.set(answer.join(), answer);
            pool.set(name, own);
          }
        return judged;
      },
    };
    await arm("phase one", grpo, {}, { parts: () => ({ selection: collecting }) }).run({
      ...trial,
      settings,
    });
    const plain = Object.fromEntries([...pool].map(([name, own]) => [name, [...own.values()]]));
    return new TextEncoder().encode(JSON.stringify(plain));
  },
  read: (bytes) => JSON.parse(new TextDecoder().decode(bytes)),
});
