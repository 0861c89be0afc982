import type { ScoringPolicy } from "@reins/core";
import type { GptParams } from "@reins/nn";
import { eq, random, type Tensor, type Tree, where } from "@reins/tensor";
import { episodeOf } from "../tasks/episode.ts";
import type { TextTask } from "../tasks/text-task.ts";
import { own } from "./speaker.ts";

/** Names of the trained weights: the model first, then roles with their own weights. */
export function weightsIn(task: Pick<TextTask, "episode">): readonly string[] {
  const { roles } = episodeOf(task);
  return [own, ...Object.keys(roles).filter((name) => roles[name].by === "own")];
}

/** The weights of a role. */
export function weightsOf(task: Pick<TextTask, "episode">, weights: Tree, role = own): GptParams {
  const names = weightsIn(task);
  if (names.length === 1) return weights as GptParams;
  return (weights as { [name: string]: Tree })[names.includes(role) ? role : own] as GptParams;
}

/**
 * Several policies that train together, each on its own turns: weights by name. The column `trace.speaker` holds the
 * author of each step as an index into `names`. Each policy scores all texts, and steps of the others are masked out
 * of its gradient.
 */
export function multiPolicy(names: readonly string[], policy: ScoringPolicy): ScoringPolicy {
  return {
    ...policy,
    init: (key) => {
      const keys = random.splitKey(key, names.length);
      return Object.fromEntries(names.map((name, i) => [name, policy.init(keys[i])]));
    },
    score(weights, moment) {
      const { speaker, ...trace } = moment.trace as { speaker: Tensor };
      const all = names.map((name, i) =>
        policy.score((weights as { [name: string]: Tree })[name], {
          ...moment,
          trace,
          ...(moment.key ? { key: random.foldKey(moment.key, i) } : {}),
        }),
      );
      const chosen = (of: (scored: (typeof all)[number]) => Tensor) =>
        all.map(of).reduce((one, other, i) => where(eq(speaker, i), other, one));
      return {
        logProb: chosen((s) => s.logProb),
        entropy: chosen((s) => s.entropy),
        ...(all[0].value ? { value: chosen((s) => s.value!) } : {}),
        ...(all[0].extra?.likeliest ? { extra: { likeliest: chosen((s) => s.extra!.likeliest) } } : {}),
      };
    },
  };
}
