import {
  type Context,
  define,
  type Given,
  improve,
  type Learned,
  type Learner,
  nStep,
  offPolicy,
  replay,
  size,
  type TransitionColumns,
  transitions,
  unlearned,
} from "@reins/core";
import * as nn from "@reins/nn";
import { random, real, scalar, type Tensor, type Tree, treeMap, valueAndGradient } from "@reins/tensor";
import * as rows from "./options.ts";
import { criticError, twinCritics } from "./q/critics.ts";
import { categoricalActor, type SoftActor, squashedActor } from "./sac/actors.ts";
import { delayed } from "./sac/delay.ts";
import { goalEntropy, temperatureRows } from "./sac/temperature.ts";

const options = {
  ...rows.climbing({ learningRate: 3e-4 }),
  gamma: rows.discount(),
  ...temperatureRows,
  policyEvery: size(
    1,
    "Updates of the critics before the actor makes as many at once. More lets the critics settle first (1 to 4).",
    { within: "count" },
  ),
  ...rows.replayed({ batch: 256, capacity: 100_000, trainEvery: 1 }),
  hidden: rows.hidden([256, 256], "Widths of the hidden layers, of actor and critics alike."),
  ...rows.body,
};
type Options = Given<typeof options>;

/** Soft actor-critic (Haarnoja et al., 2018) with automatic temperature; for discrete actions as Christodoulou (2019) has it. */
export const sac = define({
  name: "sac",
  summary:
    "Maximises reward and entropy together, off-policy: sample-efficient and robust, first choice for continuous actions.",
  paper: "Soft Actor-Critic Algorithms and Applications (Haarnoja et al., 2018)",
  options,
  actions: ["box", "discrete"],
  start(o, context) {
    const actor =
      context.spec.action.kind === "box" ? squashedActor(context.spec, o) : categoricalActor(context.spec, o);
    return offPolicy(
      {
        ...o,
        name: "sac",
        policy: actor.policy,
        learner: learner(o, context, actor),
        replay: replay({ capacity: o.capacity, record: nStep({ steps: o.nStep, gamma: o.gamma }) }),
      },
      context,
    );
  },
});

/** What the actor's own updates change: the actor, and the logarithm of the temperature. */
type Soft = { actor: Learned; logAlpha: Learned<Tensor> };
/** What one of them gives, and measures where it is not a part of a loop. */
type Turn = { soft: Soft; loss?: Tensor; entropy?: Tensor };
type State = { soft: Soft; critics: Learned; target: Tree; count: Tensor };

function learner(o: Options, { spec }: Context, actor: SoftActor): Learner<State, TransitionColumns> {
  const choices = spec.action.kind === "discrete" ? spec.action.n : undefined;
  const critics = twinCritics(spec, o, choices ? { choices } : { actions: actor.size });
  const optimiser = nn.adam();
  const alphaOf = ({ logAlpha }: Soft) => (o.automatic ? logAlpha.weights.exp() : o.temperature.tensor);

  /** One step of the actor, and of the temperature, against the critics as they are. */
  const improveActor = (soft: Soft, q: Tree, { observation, mask }: TransitionColumns, key: Tensor) => {
    const alpha = alphaOf(soft);
    // J(π) = E[min Q(s, a) - α log π(a|s)]
    const { gradient, value, aux } = valueAndGradient((w: Tree) => {
      const { value, entropy } = actor.soft(w, {
        critics,
        weights: q,
        observation,
        mask,
        alpha,
        key,
        learn: key,
      });
      return [value.mean().neg(), { entropy: entropy.mean() }] as const;
    })(soft.actor.weights);
    const { learned } = improve(soft.actor, gradient, { optimiser, learningRate: o.learningRate });
    const measured = { loss: value, entropy: aux.entropy };
    if (!o.automatic) return { soft: { ...soft, actor: learned }, ...measured };
    // d/dlogα of α (H - H₀): too little entropy raises the temperature.
    const slope = alpha.mul(aux.entropy.sub(goalEntropy(o, choices, actor.size)));
    const heated = improve(soft.logAlpha, slope, { optimiser, learningRate: o.temperatureRate });
    return { soft: { actor: learned, logAlpha: heated.learned }, ...measured };
  };

  return {
    reads: transitions,
    init(key) {
      const [a, b] = random.splitKey(key);
      const q = critics.init(b);
      const soft = {
        actor: unlearned(actor.init(a), optimiser),
        logAlpha: unlearned(scalar(real.log(o.temperature.value)), optimiser),
      };
      return {
        soft,
        critics: unlearned(q, optimiser),
        target: treeMap((t) => t.add(0), q),
        count: scalar(0, "i32"),
      };
    },
    acting: (state) => state.soft.actor.weights,
    update({ soft, critics: q, target, count }, batch, { key }) {
      const { observation, action, reward, discount, next, nextMask } = batch;
      const [k1, k2] = random.splitKey(key);
      const ahead = {
        critics,
        weights: target,
        observation: next,
        mask: nextMask,
        alpha: alphaOf(soft),
        key: k1,
      };
      const following = actor.soft(soft.actor.weights, ahead);
      // y = r + γ (min Q(s', a') - α log π(a'|s'))
      const goal = reward.add(discount.mul(following.value));
      const valuesOf = (w: Tree) => actor.taken(critics, w, observation, action as Tensor, k1);
      const { gradient, metrics } = criticError(q.weights, valuesOf, goal);
      const { learned: moved } = improve(q, gradient, { optimiser, learningRate: o.criticRate });

      const counted = count.add(1);
      const turn = (s: Soft, k: Tensor) => improveActor(s, moved.weights, batch, k);
      const improved: Turn =
        o.policyEvery === 1
          ? turn(soft, k2)
          : { soft: delayed(o.policyEvery, counted, soft, (s, k) => turn(s, k).soft, k2) };
      return {
        state: {
          soft: improved.soft,
          critics: moved,
          target: nn.polyak(target, moved.weights, o.tau.tensor),
          count: counted,
        },
        metrics: {
          ...metrics,
          "policy/temperature": alphaOf(improved.soft),
          ...(improved.loss ? { "loss/policy": improved.loss } : {}),
          "policy/entropy": improved.entropy ?? following.entropy.mean(),
        },
      };
    },
  };
}
