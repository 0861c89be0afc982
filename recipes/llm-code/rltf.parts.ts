import { grpo } from "@reins/algorithms";
import type { JudgedEpisode, Selection, Task } from "@reins/core";
import { groupEpisodes, makers, stepsOf } from "@reins/core/episodes";
import type { EpisodicParts } from "@reins/core/loops";
import * as losses from "@reins/core/losses";
import { defaultRng, stream } from "@reins/core/random";
import type { PromptSet } from "@reins/recipes/language";
import type { Tensor } from "@reins/tensor";
import { type Program, programOf } from "../shared/code-rewards.ts";

/** Penalty of the tokens of a statement that fails. */
const weight = 0.3;

/** Coarse feedback by error class, and adaptive feedback by the share of tests. */
export function coarse({ failure, passed }: Pick<Program, "failure" | "passed">): number {
  if (failure) return failure === "compile" ? -1 : -0.6;
  return passed === 1 ? 1 : -0.3 + 1.3 * passed;
}

/** Fine-grained feedback: the penalty of each character, on those of the statement at which the program stops. */
export const fine = ({ text, at }: Pick<Program, "text" | "at">): number[] =>
  [...text].map((_, i) => (at && i >= at[0] && i < at[1] ? weight : 0));

/** Keeps the latest samples, with rewards relative to the greedy program of their problem, and trains on as many as are new, chosen at random. */
export function onlineBuffer(capacity: number, seed: number): Selection {
  const random = defaultRng(stream(seed, "buffer"));
  let pool: JudgedEpisode[] = [];
  return {
    select(judged) {
      const fresh = groupEpisodes(judged).flatMap((group) => {
        const isGreedy = (j: JudgedEpisode) => j.episode.role === "greedy";
        const baseline = group.find(isGreedy)?.reward ?? 0;
        return group.filter((j) => !isGreedy(j)).map((j) => ({ ...j, reward: j.reward - baseline }));
      });
      pool = [...pool, ...fresh].slice(-capacity * fresh.length);
      const order = random.permutation(pool.length);
      return fresh.map((_, i) => pool[order[i]]);
    },
  };
}

/** Every problem has a greedy program as the baseline of its samples. */
export const withGreedy =
  (capacity: number) =>
  (given: Task & Partial<PromptSet>): Partial<EpisodicParts> => ({
    task: { ...given, next: (statistics) => given.next(statistics).map((p) => ({ ...p, greedy: true })) },
    selection: onlineBuffer(capacity, given.all?.[0].seed ?? 0),
  });

/** Advantages of tokens: the relative reward of the program, less the penalty of its failing statement. */
export function tokenAdvantages({ episode, reward }: JudgedEpisode, isFine: boolean): Float32Array {
  const out = new Float32Array(stepsOf(episode)).fill(reward);
  if (!isFine) return out;
  const first = (episode.columns as { readonly by: Tensor }).by.data.indexOf(makers.indexOf("policy"));
  for (const [i, penalty] of fine(programOf(episode)).entries()) out[first + i] -= penalty;
  return out;
}

/** The policy gradient of RLTF: without importance ratios, with one advantage per token. */
export const rltf = (isFine: boolean) =>
  grpo.with("rltf", {
    target: (_batch, _rewards, judged) => ({
      advantage: Float32Array.from(judged.flatMap((j) => [...tokenAdvantages(j, isFine)])),
    }),
    loss: losses.policyGradient(),
  });
