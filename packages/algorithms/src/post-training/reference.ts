import type { AlgorithmContext, Metrics, Started } from "@reins/core";
import { ownSteps } from "@reins/core/episodes";
import { copyTree } from "@reins/core/forms";
import { type EpisodicParts, episodeScores, episodic } from "@reins/core/loops";
import { metricsPart } from "@reins/core/metrics";
import { withReference } from "@reins/core/policies";
import { add, sub, type Tensor, type Tree, tensor, treeMap } from "@reins/tensor";

/** How training is tied to its initial weights. */
export interface Reference {
  /** Whether the loss or the reward has a KL term. */
  readonly tied: boolean;
  /** Updates between measurements of the KL divergence, where the loss does not measure it; 0: never. */
  readonly every?: number;
}

/** A process of these parts that keeps a copy of its first weights, the reference, if it has a KL penalty or measures the divergence. */
export function groupProcess(
  parts: EpisodicParts,
  { tied, every = 0 }: Reference,
  context: AlgorithmContext,
): Started {
  if (!tied && every === 0) return episodic(parts, context);
  const reference = { weights: {} as Tree, taken: Int32Array.of(0) };
  const policy = tied ? withReference(parts.policy, () => reference.weights) : parts.policy;
  const process = episodic({ ...parts, policy }, context);
  const { weights } = process.acting!;
  reference.weights = treeMap((t) => tensor(t.data.slice(), { shape: t.shape, dtype: t.dtype }), weights);
  const last: Metrics = {};
  Object.assign(process.parts, { reference, ...(every > 0 ? { divergence: metricsPart(last) } : {}) });
  const measure = every > 0 ? divergence(parts.policy, process) : undefined;
  const note = (metrics: Metrics): Metrics => {
    if (!measure) return metrics;
    const kl = metrics.updates % every === 1 % every ? measure(reference.weights) : undefined;
    if (kl !== undefined) {
      last[referenceKl] = kl;
      context.statistics.record(referenceKl, kl);
    }
    return Object.assign(metrics, last);
  };
  const { step } = process;
  return Object.assign(process, {
    // The initial weights are known only at the first step: an earlier phase may have trained them.
    step() {
      if (!reference.taken[0]) copyTree(reference.weights, weights);
      reference.taken[0] = 1;
      const metrics = step();
      return metrics instanceof Promise ? metrics.then(note) : note(metrics);
    },
  });
}

const referenceKl = "policy/reference-kl";

/** Episodes of a batch on which the KL divergence is measured. */
const measured = 64;

/**
 * Estimates the KL divergence of the behaviour policy from a reference, on the last batch: the mean over its
 * tokens of r − 1 − log r, where r is the ratio of the reference's probability to the recorded one (Schulman's
 * k3). It costs one forward pass and samples nothing.
 */
function divergence(policy: EpisodicParts["policy"], process: Started) {
  const scores = episodeScores(policy, "policy", ({ logProb }, columns) => {
    const d = sub(logProb, columns.logProb as Tensor);
    return { kl: sub(d.exp(), add(d, 1)) };
  });
  return (weights: Tree): number | undefined => {
    const played = process.inspect?.().episodes ?? [];
    const own = played.map((j) => j.episode).filter((e) => e.role !== "greedy" && ownSteps(e) > 0);
    return own.length ? scores(weights, own.slice(0, measured)).kl : undefined;
  };
}
