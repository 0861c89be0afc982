import { type Columns, fail, type ScoringPolicy, type TrainState, type UpdateResult } from "@reins/core";
import { recordedStep } from "@reins/core/episodes";
import { meanWhere, standardise } from "@reins/core/loops";
import type { LiveValue } from "@reins/core/settings";
import {
  add,
  and,
  cast,
  div,
  exp,
  gt,
  iota,
  le,
  maximum,
  mean,
  mul,
  not,
  or,
  pow,
  scan,
  sqrt,
  sub,
  type Tensor,
  type Tree,
  treeMap,
  valueAndGradient,
  where,
  zeros,
} from "@reins/tensor";
import { along, conjugateGradient, inner } from "./conjugate-gradient.ts";
import { fisherProduct } from "./fisher.ts";

/** Settings of {@link trustRegionStep}. */
export interface TrustRegionOptions {
  /** Maximum KL divergence of a step. */
  readonly maxKl: LiveValue;
  readonly damping: LiveValue;
  readonly cgSteps: number;
  readonly backtracks: number;
  readonly normalise: "batch" | "none";
}

/** Step length ratio of the line search. */
const backtrackRatio = 0.8;

/**
 * Updates the policy: the longest step along its natural gradient that improves the surrogate and stays within the
 * KL limit.
 */
export function trustRegionStep(
  o: TrustRegionOptions,
  policy: ScoringPolicy,
  learned: TrainState,
  columns: Columns,
): UpdateResult<TrainState> {
  const { weights } = learned;
  const alive = columns.alive as Tensor | undefined;
  const average = (x: Tensor) => (alive ? meanWhere(alive, x) : mean(x));
  const given = columns.advantage as Tensor;
  const advantage = o.normalise === "batch" ? standardise(given, alive)(given) : given;
  const moment = recordedStep(columns);
  const divergence = (w: Tree) =>
    average(
      policy.divergence?.(weights, w, moment) ??
        fail("trpo", "the policy has no KL divergence. Implement `divergence`."),
    );
  const surrogate = (w: Tree): readonly [Tensor, Tensor] => {
    const { logProb, entropy } = policy.score(w, moment);
    return [average(mul(exp(sub(logProb, columns.logProb as Tensor)), advantage)), average(entropy)];
  };
  const { value: before, gradient, aux: entropy } = valueAndGradient(surrogate)(weights);
  const product = fisherProduct(divergence, weights, o.damping.tensor);
  const direction = conjugateGradient(product, gradient, o.cgSteps);
  // The KL divergence of a step is about half its squared norm under the Fisher matrix: this is the longest step
  // within the limit.
  const longest = sqrt(div(mul(o.maxKl.tensor, 2), maximum(inner(direction, product(direction)), 1e-8)));

  type Found = { weights: Tree; found: Tensor; share: Tensor; kl: Tensor; better: Tensor };
  const { carry } = scan(
    (best: Found, k: Tensor) => {
      const share = pow(backtrackRatio, cast(k, "f32"));
      const tried = along(weights, mul(longest, share), direction);
      const [kl, [value]] = [divergence(tried), surrogate(tried)];
      const good = and(gt(value, before), le(kl, o.maxKl.tensor));
      const take = and(good, not(best.found));
      const pick = (now: Tensor, then: Tensor) => where(take, now, then);
      return [
        {
          weights: treeMap(pick, tried, best.weights),
          found: or(best.found, good),
          share: pick(share, best.share),
          kl: pick(kl, best.kl),
          better: pick(sub(value, before), best.better),
        },
        undefined,
      ] as const;
    },
    { weights, found: zeros([], "bool"), share: zeros([]), kl: zeros([]), better: zeros([]) } as Found,
    iota([o.backtracks]),
  );
  return {
    state: { ...learned, weights: carry.weights },
    metrics: {
      "policy/entropy": entropy,
      "policy/kl": carry.kl,
      "policy/step": carry.share,
      "loss/policy": sub(0, add(before, carry.better)),
      "gradient/norm": sqrt(inner(gradient, gradient)),
    },
  };
}
