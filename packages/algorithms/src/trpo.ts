import {
  type Columns,
  choice,
  define,
  fail,
  type ResolvedOptions,
  type ScoringPolicy,
  setting,
  size,
  type TrainState,
  type UpdateResult,
} from "@reins/core";
import { recordedStep } from "@reins/core/episodes";
import { learnFrom, meanWhere, type OnPolicyParts, onPolicy, standardise } from "@reins/core/loops";
import * as losses from "@reins/core/losses";
import { actorCritic } from "@reins/core/policies";
import * as targets from "@reins/core/targets";
import * as nn from "@reins/nn";
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
import { along, conjugateGradient, inner } from "./natural/conjugate-gradient.ts";
import { fisherProduct } from "./natural/fisher.ts";
import * as rows from "./options.ts";

const options = {
  maxKl: setting(
    0.01,
    "Maximum KL divergence per batch, averaged over its states. Higher learns faster and less safely (0.003 to 0.05).",
    { within: "positive" },
  ),
  damping: setting(
    0.1,
    "Damping added to the Fisher matrix. Higher is steadier with little data, and moves less (0.01 to 0.3).",
    { within: "nonnegative" },
  ),
  cgSteps: size(
    10,
    "Conjugate gradient iterations. More approximates the natural gradient better (5 to 20).",
    {
      within: "count",
    },
  ),
  backtracks: size(10, "Line search attempts, each 0.8 times as long as the previous one (5 to 20).", {
    within: "count",
  }),
  gamma: setting(0.99, "Discount factor. Higher looks further ahead, with more variance (0.9 to 0.999).", {
    per: "token",
    within: "share",
  }),
  lambda: setting(0.97, "GAE lambda: 0 relies on the critic, 1 on the returns (0.9 to 1).", {
    per: "token",
    within: "share",
  }),
  learningRate: setting(
    1e-3,
    "Learning rate of the critic. Higher learns faster until it diverges (3e-4 to 3e-3).",
    { within: "nonnegative" },
  ),
  envs: size(8, "Parallel environments. More gives more varied batches (4 to 4096).", {
    within: "count",
  }),
  steps: size(
    128,
    "Steps of each environment between updates. More gives a truer natural gradient, fewer updates (64 to 2048).",
    { within: "count" },
  ),
  epochs: size(10, "Critic epochs over each batch. More fits it more closely (5 to 80).", {
    within: "count",
  }),
  minibatches: size(4, "Critic minibatches per epoch. More gives more, noisier updates (1 to 64).", {
    within: "count",
  }),
  ...rows.actor,
  normalise: choice<"batch" | "none">(
    "batch",
    ["batch", "none"],
    "Scope of advantage normalisation (mean 0, standard deviation 1).",
  ),
};
type Options = ResolvedOptions<typeof options>;

/**
 * Trust Region Policy Optimization (Schulman et al., 2015): one natural-gradient step per batch, as long as a KL
 * limit allows. The critic is a separate network, fitted separately.
 */
export const trpo = define({
  name: "trpo",
  summary:
    "A natural-gradient step within a KL trust region: stable, without a learning rate for the policy.",
  paper: "Trust Region Policy Optimization (Schulman et al., 2015)",
  options,
  parts: (o, context, name): OnPolicyParts => ({
    name,
    policy: actorCritic(context.spec, { ...o, apart: true }),
    target: targets.gae({ gamma: o.gamma, lambda: o.lambda }),
    // Minibatches are for the critic only: the policy is updated before them.
    loss: losses.valueError(),
    learn(learning, policy, learned, columns, start, key) {
      const moved = trustedStep(o, policy, learned, columns);
      const fitted = learnFrom(learning, policy, moved.state, columns, start, key);
      return { ...fitted, metrics: { ...fitted.metrics, ...moved.metrics } };
    },
    optimiser: nn.adam({ epsilon: 1e-5 }),
    learningRate: o.learningRate,
    envs: o.envs,
    steps: o.steps,
    epochs: o.epochs,
    minibatches: o.minibatches,
    normalise: "none",
    // The critic's sums are fused differently there.
    batchable: false,
  }),
  begin: onPolicy,
});

/** Step length ratio of the line search. */
const shorter = 0.8;

/**
 * Updates the policy: the longest step along its natural gradient that improves the surrogate and stays within the
 * KL limit.
 */
function trustedStep(
  o: Options,
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
      const share = pow(shorter, cast(k, "f32"));
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
