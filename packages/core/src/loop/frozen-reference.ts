import { add, sub, type Tensor, type Tree, tensor, treeMap } from "@reins/tensor";
import { type Metrics, metricsPart } from "../algorithm.ts";
import { type Episode, ownSteps } from "../episode.ts";
import { copyTree } from "../forms/copy.ts";
import { withReference } from "../policies/reference.ts";
import type { ScoringPolicy } from "../policy.ts";
import type { Statistics } from "../statistics.ts";
import { episodeScores } from "./episode-scores.ts";

/** A frozen reference policy: a copy of the policy's weights before the first update. */
export interface ReferencePart {
  /** Whether the loss or the reward has a KL penalty: the policy's scores then include `extra.reference`. */
  readonly penalised?: boolean;
  /** Updates between measurements of the KL divergence from the reference (policy/reference-kl); 0: none (default). */
  readonly klEvery?: number;
}

/** Episodes of a batch on which the KL divergence is measured. */
const measuredEpisodes = 64;

const referenceKl = "policy/reference-kl";

/** The reference policy of a process; undefined if it is neither penalised nor measured. */
export const frozenReference = <P extends ScoringPolicy>(policy: P, part: ReferencePart = {}) =>
  part.penalised || part.klEvery ? new FrozenReference(policy, part) : undefined;

/** The reference policy of a running process. */
class FrozenReference<P extends ScoringPolicy> {
  /** The policy, whose scores include the reference where it is penalised. */
  readonly policy: P;
  private readonly klEvery: number;
  private readonly measure: (weights: Tree, episodes: readonly Episode[]) => number | undefined;
  private readonly state = { weights: {} as Tree, taken: Int32Array.of(0) };
  /** The last measurement, reported until the next one. */
  private readonly last: Metrics = {};

  constructor(policy: P, { penalised = false, klEvery = 0 }: ReferencePart) {
    this.policy = penalised ? withReference(policy, () => this.state.weights) : policy;
    this.klEvery = klEvery;
    this.measure = klEvery > 0 ? klDivergence(policy) : () => undefined;
  }

  /** Allocates the copy of the weights. Call it before an update is traced. */
  init(weights: Tree): void {
    this.state.weights = treeMap((t) => tensor(t.data.slice(), { shape: t.shape, dtype: t.dtype }), weights);
  }

  /** The copy of the weights. */
  get weights(): Tree {
    return this.state.weights;
  }

  /** Copies the weights at the first step: an earlier phase may have trained them. */
  freeze(weights: Tree): void {
    if (!this.state.taken[0]) copyTree(this.state.weights, weights);
    this.state.taken[0] = 1;
  }

  /** The state to be saved. */
  get parts() {
    return { reference: this.state, ...(this.klEvery > 0 ? { divergence: metricsPart(this.last) } : {}) };
  }

  /** Adds the KL divergence on these episodes to the metrics, measured every `klEvery` updates. */
  report(metrics: Metrics, episodes: readonly Episode[], statistics: Statistics): Metrics {
    const { klEvery, last } = this;
    if (klEvery === 0) return metrics;
    const due = metrics.updates % klEvery === 1 % klEvery;
    const kl = due ? this.measure(this.state.weights, episodes) : undefined;
    if (kl !== undefined) {
      last[referenceKl] = kl;
      statistics.record(referenceKl, kl);
    }
    return Object.assign(metrics, last);
  }
}

/**
 * Estimates the KL divergence of the behaviour policy from a reference on recorded episodes: the mean over tokens of
 * r − 1 − log r, where r is the ratio of the reference's probability to the recorded one (Schulman's k3). It costs one
 * forward pass and samples nothing.
 */
function klDivergence(policy: ScoringPolicy) {
  const scores = episodeScores(policy, "policy", ({ logProb }, columns) => {
    const d = sub(logProb, columns.logProb as Tensor);
    return { kl: sub(d.exp(), add(d, 1)) };
  });
  return (weights: Tree, episodes: readonly Episode[]): number | undefined => {
    const own = episodes.filter((e) => e.role !== "greedy" && ownSteps(e) > 0);
    return own.length ? scores(weights, own.slice(0, measuredEpisodes)).kl : undefined;
  };
}
