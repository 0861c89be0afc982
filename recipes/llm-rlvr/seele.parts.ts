import { makers, scoreOf } from "@reins/core/episodes";
import type { EpisodicParts } from "@reins/core/loops";
import * as losses from "@reins/core/losses";
import * as targets from "@reins/core/targets";
import type { Tensor } from "@reins/tensor";
import { rounds } from "../shared/rounds.ts";
import { imitating, learningHints, tracedGrpo } from "../shared/traces.ts";
import { termsOf } from "../testbeds/traces.ts";

/** Successes among the samples with a hint of a share of the trace. */
export interface Observation {
  readonly hint: number;
  readonly solved: number;
  readonly samples: number;
}

const range = (from: number, step: number, count: number) =>
  Array.from({ length: count }, (_, i) => from + step * i);
const curves = [2, 4, 8, 16].flatMap((slope) =>
  range(-0.5, 0.05, 41).flatMap((middle) => [0, 0.1, 0.2].map((guess) => ({ slope, middle, guess }))),
);

/** Accuracy by hint under the three-parameter logistic model of item response theory. */
export const accuracyAt = (hint: number, { slope, middle, guess }: (typeof curves)[number]): number =>
  guess + (1 - guess) / (1 + Math.exp(-slope * (hint - middle)));

const halfway = new Map<string, number>();

/** The hint at which the most likely curve has an accuracy of one half. A hint of the whole trace counts as one success. */
export function halfwayHint(seen: readonly Observation[]): number {
  const key = JSON.stringify(seen);
  const known = halfway.get(key);
  if (known !== undefined) return known;
  const all = [...seen, { hint: 1, solved: 1, samples: 1 }];
  let [best, hint] = [Number.NEGATIVE_INFINITY, 0];
  for (const curve of curves) {
    const likelihood = all.reduce((sum, { hint, solved, samples }) => {
      const p = accuracyAt(hint, curve);
      return sum + solved * Math.log(p) + (samples - solved) * Math.log(1 - p);
    }, 0);
    if (likelihood <= best) continue;
    best = likelihood;
    hint = curve.middle + Math.log((0.5 - curve.guess) / 0.5) / curve.slope;
  }
  hint = Math.min(1, Math.max(0, hint));
  halfway.set(key, hint);
  return hint;
}

/** Samples have the advantages of their group; the steps of hints have a fixed weight. */
const target: EpisodicParts["target"] = (batch, rewards) => {
  const groups = targets.groupsOf(batch);
  const advantage = targets.spread(targets.groupRelative(rewards, groups), batch);
  const by = (batch.columns.by as Tensor).data;
  // The hints of a group are parts of one trace.
  const weight = new Set(groups).size / groups.length;
  return { advantage: advantage.map((a, i) => (by[i] === makers.indexOf("teacher") ? weight : a)) };
};

/** Groups are sampled in rounds, the first without a hint. `hintOf` chooses the next hint from the rounds before. */
export const seele = (hintOf: (seen: readonly Observation[]) => number, count = 4) =>
  tracedGrpo("seele", (task, { clip }) => {
    const { task: sampled, selection } = rounds(task, {
      first: (p) => ({ ...p, groupSize: p.groupSize / count }),
      next({ problem, rounds: all }) {
        if (all.length === count) return undefined;
        const seen = all.map((samples) => ({
          hint: Number(samples[0].episode.context?.hint ?? 0),
          solved: samples.filter((j) => scoreOf(j) >= 1).length,
          samples: samples.length,
        }));
        const terms = termsOf(problem);
        const letters = Math.min(terms - 1, Math.round(hintOf(seen) * terms));
        return {
          ...problem,
          groupSize: problem.groupSize / count,
          // Half a letter more is rounded down.
          ...(letters > 0 ? { context: { ...problem.context, hint: (letters + 0.5) / terms } } : {}),
        };
      },
    });
    return {
      task: sampled,
      selection: {
        select(judged) {
          const chosen = selection.select(judged);
          return chosen && learningHints(chosen);
        },
      },
      target,
      loss: losses.policyGradient({ ratio: imitating(losses.clipped(clip)), clip }),
    };
  });
