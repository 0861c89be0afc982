import type { Columns, CurrentPolicy, EnvSpec, PolicyInput } from "@reins/core";
import { joinTrees } from "@reins/core/episodes";
import { isScoringPolicy } from "@reins/core/policies";
import { leaves, type Tensor, type Tree, tensor, zeros } from "@reins/tensor";

/** Maximum number of multiplications: the computation is not compiled, and a recording must not delay training. */
const most = 1e8;

/**
 * Value (`value`) and probabilities of discrete actions (`probabilities`) at each step of an episode. Omitted if the agent has
 * none, if they need recurrent state, or if they would take long.
 */
export function policyOutputs(
  { policy, weights }: CurrentPolicy,
  spec: EnvSpec,
  views: readonly PolicyInput[],
): Columns {
  const steps = views.length;
  const choices = spec.action.kind === "discrete" ? spec.action.n : 0;
  const size = leaves(weights).reduce((n, x) => n + x.size, 0);
  if (steps === 0 || policy.memory || policy.start || size * steps * Math.max(1, choices) > most) return {};
  const view = { ...(joinTrees(views as readonly Tree[]) as PolicyInput), first: zeros([steps], "bool") };
  const value = policy.value?.(weights, view);
  return {
    ...(value && isPerStep(value, steps) ? { value: value.reshape([steps]) } : {}),
    ...(isScoringPolicy(policy) && choices > 0
      ? { probabilities: likely(policy, weights, view, choices) }
      : {}),
  };
}

const isPerStep = (x: Tensor, steps: number) => x.size === steps;

/** Probability of each action at each step, from the log-probabilities. */
function likely(
  policy: Extract<CurrentPolicy["policy"], { score: unknown }>,
  weights: Tree,
  view: PolicyInput,
  choices: number,
): Tensor {
  const steps = leaves(view.observation)[0].shape[0];
  const out = new Float32Array(steps * choices);
  for (let choice = 0; choice < choices; choice++) {
    const action = tensor(new Int32Array(steps).fill(choice));
    const { data } = policy.score(weights, { view, action }).logProb;
    for (let i = 0; i < steps; i++) out[i * choices + choice] = Math.exp(data[i]);
  }
  return tensor(out, { shape: [steps, choices] });
}
