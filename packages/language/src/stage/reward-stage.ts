import { type Episode, type EvaluationResult, fail, type Stage, type YieldHook } from "@reins/core";
import { groupEpisodes } from "@reins/core/episodes";
import { estimate } from "@reins/core/evaluations";
import type { Tensor, Tree } from "@reins/tensor";
import type { RewardModel, RewardParams } from "../models/reward-model.ts";
import { rewardPolicy } from "../reward-policy.ts";
import { marginsOf, orderOf, pairMeasures, type ScoredPair } from "../rewards/pair-measures.ts";
import { TextRewards } from "../rewards/text-rewards.ts";

/** Settings of {@link rewardStage}. */
export interface RewardStageOptions {
  /** Name in messages. */
  readonly name: string;
  readonly reward: RewardModel;
  /** Whether its heads are new: they then start from random weights of the run's seed. */
  readonly fresh?: boolean;
}

/**
 * A stage that trains a reward model on the compared completions of another stage, such as `exampleStage` or `textStage`.
 * Evaluations give the accuracy on held-out pairs, with its calibration (`pairs`).
 */
export function rewardStage(base: Stage, { name, reward, fresh = false }: RewardStageOptions): Stage {
  const { comparisons, problems, parts, epochs, limit, levels, decodeToken } = base;
  const heldOut = base.heldOutComparisons?.bind(base) ?? (() => []);
  const policy = rewardPolicy(reward, { fresh });
  const noAnswers = (): never =>
    fail(
      name,
      "a reward model scores texts and writes none. Save it (saveModel, --save-model) and score completions: (await loadRewardModel(folder)).rewards(prompt, completions).",
    );
  let scorer: TextRewards | undefined;
  const scored = (weights: Tree, episodes: readonly Episode[]): ScoredPair[] => {
    scorer ??= new TextRewards(reward);
    const texts = episodes.flatMap((episode) => textsOf(episode).map((text) => ({ episode, ...text })));
    const rewards = scorer.of(
      texts.map(({ tokens }) => tokens),
      weights as RewardParams,
    );
    const all = texts.map((text, i) => ({ ...text, reward: rewards[i] }));
    return groupEpisodes(all).flatMap(pairsIn);
  };
  return {
    trains: "reward",
    policy,
    ...{ comparisons, problems, parts, epochs, limit, levels, decodeToken },
    samplingModes: ["teacher"],
    play: noAnswers,
    answer: noAnswers,
    judge: (episodes) => episodes.map((e) => ({ reward: e.score ?? 0 })),
    validation: {
      policy,
      episodes: heldOut,
      measure: (weights, episodes) => ({ ...pairMeasures(scored(weights, episodes)) }),
    },
    async evaluate(weights, { episodes = 100, seed = 0, yieldHook } = {}): Promise<EvaluationResult> {
      const all = heldOut(episodes, seed, { trained: true });
      const pairs = await inChunks(all, (some) => scored(weights, some), yieldHook);
      if (pairs.length === 0)
        fail(
          name,
          "none of the held-out examples can be evaluated: they have no compared completions, or do not fit into the model's context.",
        );
      const returns = Float64Array.from(marginsOf(pairs), orderOf);
      const lengths = Float64Array.from(all, (e) => tokensOf(e).length);
      return { ...estimate(returns, [0, 1]), returns, lengths, pairs: pairMeasures(pairs) };
    },
  };
}

/** A text of an episode that is scored, and whether it is the end of a right or wrong step. */
interface ScoredText {
  readonly tokens: readonly number[];
  readonly right?: boolean;
}

/** The whole text of an episode or, where its steps are labelled, the text up to the end of each step. */
function textsOf(episode: Episode): ScoredText[] {
  const tokens = tokensOf(episode);
  const label = episode.columns.label as Tensor | undefined;
  if (!label) return [{ tokens }];
  return [...label.data].flatMap((x, step) =>
    x === 0 ? [] : [{ tokens: tokens.slice(0, step + 2), right: x > 0 }],
  );
}

/** The pairs of a group: better and worse completions, or labelled steps and the reward 0, the bound between right and wrong. */
function pairsIn(
  group: readonly (ScoredText & { readonly episode: Episode; readonly reward: Float32Array })[],
): ScoredPair[] {
  return group.flatMap(({ episode, right, reward }) => {
    const bound = new Float32Array(reward.length);
    if (right !== undefined)
      return [right ? { chosen: reward, rejected: bound } : { chosen: bound, rejected: reward }];
    return group.flatMap((other) =>
      (episode.score ?? 0) > (other.episode.score ?? 0) ? [{ chosen: reward, rejected: other.reward }] : [],
    );
  });
}

/** The tokens of an episode that is a text: the first is observed, the others are chosen. */
const tokensOf = ({ columns }: Episode): number[] => {
  const [observation, action] = [columns.observation as Tensor, columns.action as Tensor];
  return [observation.data[0], ...action.data];
};

/** Pairs of some groups of episodes at a time, with control returned to the event loop in between. */
async function inChunks(
  episodes: readonly Episode[],
  score: (some: readonly Episode[]) => ScoredPair[],
  yieldHook: YieldHook | undefined,
): Promise<ScoredPair[]> {
  const out: ScoredPair[] = [];
  const groups = groupEpisodes(episodes.map((episode) => ({ episode })));
  for (let at = 0; at < groups.length; at += 32) {
    out.push(...score(groups.slice(at, at + 32).flatMap((g) => g.map((m) => m.episode))));
    await yieldHook?.();
  }
  return out;
}
