import type { Selection } from "@reins/core";
import { groupEpisodes } from "@reins/core/episodes";

/** The best and the worst completion of each prompt, in this order. Prompts whose completions all tie are dropped. */
export function pairSelection(): Selection {
  return {
    select: (judged) =>
      groupEpisodes(judged).flatMap((group) => {
        const [first, ...rest] = group;
        let [best, worst] = [first, first];
        for (const one of rest) {
          if (one.reward > best.reward) best = one;
          if (one.reward <= worst.reward) worst = one;
        }
        return best.reward > worst.reward ? [best, worst] : [];
      }),
  };
}

/** All completions of each prompt in disjoint pairs, the better one first; also pairs that tie. */
export function everyPair(): Selection {
  return {
    select: (judged) =>
      groupEpisodes(judged).flatMap((group) =>
        Array.from({ length: Math.floor(group.length / 2) }, (_, p) => {
          const [one, other] = group.slice(2 * p, 2 * p + 2);
          return other.reward > one.reward ? [other, one] : [one, other];
        }).flat(),
      ),
  };
}

/** The completions of the policy itself, without those of a reference policy. */
export const ownCompletions = (): Selection => ({
  select: (judged) => judged.filter(({ episode }) => episode.role !== "teacher"),
});

/** All completions of each prompt, the best first. Prompts whose completions all tie are dropped. */
export function rankingSelection(): Selection {
  return {
    select: (judged) =>
      groupEpisodes(judged).flatMap((group) => {
        const sorted = [...group].sort((a, b) => b.reward - a.reward);
        return sorted[0].reward > sorted[sorted.length - 1].reward ? sorted : [];
      }),
  };
}
