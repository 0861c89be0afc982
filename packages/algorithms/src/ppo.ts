import { type AlgorithmContext, define, fail, type LossTerm } from "@reins/core";
import { episodic, type OnPolicyParts, onPolicy } from "@reins/core/loops";
import * as losses from "@reins/core/losses";
import * as nn from "@reins/nn";
import { remembering } from "./memory-actor-critic.ts";
import { advantagesOf } from "./ppo/advantages.ts";
import { type PpoSettings, ppoOptions } from "./ppo/options.ts";
import { withReturnScale } from "./ppo/pop-art.ts";
import { textParts, textValueError } from "./ppo/text.ts";
import { imitating } from "./self-imitation.ts";

export type { PpoSettings };

const { clipped, entropy, minus, klFromBehaviour, policyGradient, sum, valueError, weighted } = losses;

/** Proximal Policy Optimization (Schulman et al., 2017), with the implementation details of Huang et al. (2022). */
export const ppo = define({
  name: "ppo",
  summary: "Clipped policy gradient with a critic and several epochs over each batch: the one to try first.",
  paper: "Proximal Policy Optimization Algorithms (Schulman et al., 2017)",
  options: ppoOptions,
  learnsFrom: "both",
  parts: ppoParts,
  begin: onPolicy,
  episodes: (o, context, name) =>
    episodic({ ...textParts(o, context, name), ...learning(o, textValueError(o, valueLoss(o))) }, context),
});

/**
 * The PPO loss, with any bound on the importance ratio ρ and any value loss:
 * −min(ρ Â, clip(ρ, 1 − ε, 1 + ε) Â) + c₁ (V − R)² − c₂ H(π) + β KL(π_old, π).
 */
export const ppoLoss = (o: PpoSettings, ratio: losses.Ratio, value = valueLoss(o)): LossTerm =>
  sum(
    policyGradient({ ratio, clip: o.clip }),
    weighted(o.valueWeight, value),
    minus(o.entropyWeight, entropy()),
    ...(o.klWeight.isOff() ? [] : [weighted(o.klWeight, klFromBehaviour())]),
  );

const valueLoss = (o: PpoSettings): LossTerm => valueError(o.clipValue ? { clip: o.clip } : {});

/**
 * The parts of PPO, for methods with their own options; methods with PPO's options replace a part with `ppo.with`.
 *
 * @experimental
 */
export function ppoParts(o: PpoSettings, context: AlgorithmContext, name = "ppo"): OnPolicyParts {
  if (o.credit === "turn")
    fail(
      name,
      `credit by turn needs a conversation, and ${context.spec.id} is stepped. Leave out the option.`,
    );
  return {
    name,
    policy: remembering(context.spec, { ...o, streams: o.discounts.length || undefined }),
    target: advantagesOf(o, context, name),
    envs: o.envs,
    steps: o.steps,
    ...learning(o),
    ...(o.popArt ? { learn: withReturnScale(o) } : {}),
    ...imitating(o, context),
  };
}

/** Epochs of minibatch updates, on stepped environments and language tasks. */
const learning = (o: PpoSettings, value = valueLoss(o)) => ({
  loss: ppoLoss(o, clipped(o.clip), value),
  ...(o.maxKl.isOff(Number.POSITIVE_INFINITY) ? {} : { maxKl: o.maxKl }),
  optimiser: nn.adam({ epsilon: 1e-5 }),
  learningRate: o.learningRate,
  clipNorm: o.clipNorm,
  epochs: o.epochs,
  minibatches: o.minibatches,
  normalise: o.normalise,
});
