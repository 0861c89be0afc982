import {
  type Context,
  type Discrete,
  define,
  type Given,
  nStep,
  type OffPolicyLearner,
  offPolicy,
  replay,
  setting,
  size,
  type TransitionColumns,
  when,
} from "@reins/core";
import * as nn from "@reins/nn";
import {
  add,
  eq,
  exp,
  mean,
  mod,
  mul,
  neg,
  random,
  scalar,
  square,
  sub,
  sum,
  type Tensor,
  type Tree,
  treeMap,
  valueAndGradient,
} from "@reins/tensor";
import { twinCritics } from "./q/critics.ts";
import { categoricalActor, type SoftActor, squashedActor } from "./sac/actors.ts";

const options = {
  learningRate: setting(
    3e-4,
    "Size of the actor's steps. Higher learns faster until it diverges (1e-4 to 1e-3).",
  ),
  criticRate: setting(1e-3, "Size of the critics' steps (3e-4 to 1e-3)."),
  gamma: setting(0.99, "Discount. Higher looks further ahead and varies more (0.9 to 0.9999)."),
  tau: setting(
    0.005,
    "How far the target critics move at each update. Higher follows faster and less steadily (0.001 to 0.02).",
  ),
  automatic: size(true, "Find the temperature that holds the target entropy, beginning with `temperature`."),
  temperature: setting(
    1,
    "Worth of entropy against reward. Higher explores more (0.01 to 1; the first one if automatic).",
  ),
  temperatureRate: setting(1e-3, "Automatic: how fast the temperature moves (3e-4 to 1e-3)."),
  targetEntropy: setting(
    -1,
    "Automatic, continuous actions: entropy to hold in each dimension. Higher stays more random (-2 to 0).",
  ),
  targetShare: setting(
    0.89,
    "Automatic, discrete actions: entropy to hold, as a share of the largest. Higher stays more random (0.2 to 0.98).",
  ),
  correlation: setting(
    0,
    "Continuous actions: share of the noise kept from step to step. Higher explores along longer arcs (0 to 0.99).",
  ),
  policyEvery: size(
    1,
    "Updates of the critics before the actor makes as many at once. More lets the critics settle first (1 to 4).",
  ),
  batch: size(256, "Entries in a minibatch. More is steadier and costs more (64 to 512)."),
  capacity: size(100_000, "Transitions remembered. More forgets later and takes more memory (10⁴ to 10⁶)."),
  learningStarts: size(
    1000,
    "Random steps before learning. More gives the first updates more to see (100 to 10000).",
  ),
  envs: size(1, "Environments played at once. More gives fresher, more varied data an update (1 to 64)."),
  trainEvery: size(1, "Steps of each environment between updates (1 to 64, with as many updates)."),
  updates: setting(
    1,
    "Updates at a time. More learns more from each step, until it overfits (0.25 to 4 a step).",
  ),
  nStep: size(
    1,
    "Steps of rewards before the estimate takes over. More carries rewards back faster, with more of old behaviour in them (1 to 5).",
  ),
  hidden: size<readonly number[]>([256, 256], "Widths of the hidden layers, of actor and critics alike."),
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

type Slots = nn.OptimiserState<Tree>;
/** What the actor's own updates change. */
type Soft = { actor: Tree; actorSlots: Slots; logAlpha: Tensor; alphaSlots: Slots };
type State = { soft: Soft; critics: Tree; target: Tree; criticSlots: Slots; count: Tensor };

function learner(o: Options, { spec }: Context, actor: SoftActor): OffPolicyLearner<State> {
  const discrete = spec.action.kind === "discrete";
  const critics = twinCritics(
    spec,
    o.hidden,
    discrete ? { choices: (spec.action as Discrete).n } : { actions: actor.size },
  );
  const adam = nn.adam();
  // A function: what it reads may change from update to update.
  const goalEntropy = () =>
    discrete
      ? mul(o.targetShare.tensor, Math.log((spec.action as Discrete).n))
      : mul(o.targetEntropy.tensor, actor.size);
  const alphaOf = (soft: Soft) => (o.automatic ? exp(soft.logAlpha) : o.temperature.tensor);

  /** One step of the actor, and of the temperature, against the critics as they are. */
  const improveActor = (soft: Soft, q: Tree, observation: Tree, mask: Tree | undefined, key: Tensor) => {
    const alpha = alphaOf(soft);
    const { gradient, value, aux } = valueAndGradient((w: Tree) => {
      const { value, entropy } = actor.soft(w, critics, q, observation, mask, alpha, key);
      return [neg(mean(value)), { entropy: mean(entropy) }] as const;
    })(soft.actor);
    const moved = adam.update(gradient, soft.actorSlots, soft.actor, { learningRate: o.learningRate.tensor });
    const next = { ...soft, actor: moved.params, actorSlots: moved.state };
    if (!o.automatic) return { soft: next, loss: value, entropy: aux.entropy };
    // d/dlogα of α (H - H₀): too little entropy raises the temperature.
    const slope = mul(alpha, sub(aux.entropy, goalEntropy()));
    const heat = adam.update(slope, soft.alphaSlots as nn.OptimiserState<Tensor>, soft.logAlpha, {
      learningRate: o.temperatureRate.tensor,
    });
    return {
      soft: { ...next, logAlpha: heat.params, alphaSlots: heat.state },
      loss: value,
      entropy: aux.entropy,
    };
  };

  return {
    init(key) {
      const [a, b] = random.splitKey(key);
      const [weights, q, logAlpha] = [actor.init(a), critics.init(b), scalar(Math.log(o.temperature.value))];
      return {
        soft: { actor: weights, actorSlots: adam.init(weights), logAlpha, alphaSlots: adam.init(logAlpha) },
        critics: q,
        target: treeMap((t) => add(t, 0), q),
        criticSlots: adam.init(q),
        count: scalar(0, "i32"),
      };
    },
    acting: (state) => state.soft.actor,
    update(state, batch, _weight, key) {
      const { observation, action, reward, discount, next, mask, nextMask } = batch as TransitionColumns;
      const { soft, target, count } = state;
      const [k1, k2] = random.splitKey(key);
      const following = actor.soft(soft.actor, critics, target, next, nextMask, alphaOf(soft), k1);
      const goal = add(reward, mul(discount, following.value));

      const { gradient, aux } = valueAndGradient((w: Tree) => {
        const value = actor.taken(critics, w, observation, action as Tensor);
        const loss = mul(square(sub(value, goal)), 0.5);
        return [mean(sum(loss, 0)), { loss: mean(loss), value: mean(value) }] as const;
      })(state.critics);
      const moved = adam.update(gradient, state.criticSlots, state.critics, {
        learningRate: o.criticRate.tensor,
      });
      const q = moved.params;

      const counted = add(count, 1);
      const turn = (s: Soft, k: Tensor) => improveActor(s, q, observation, mask, k);
      const improved = o.policyEvery === 1 ? turn(soft, k2) : delayed(o.policyEvery, counted, soft, turn, k2);
      return {
        state: {
          soft: improved.soft,
          critics: q,
          target: nn.polyak(target, q, o.tau.tensor),
          criticSlots: moved.state,
          count: counted,
        },
        metrics: {
          "loss/value": aux.loss,
          "value/mean": aux.value,
          "policy/temperature": alphaOf(improved.soft),
          ...(improved.loss ? { "loss/policy": improved.loss } : {}),
          "policy/entropy": improved.entropy ?? mean(following.entropy),
        },
      };
    },
  };
}

/** As many steps of the actor as it missed, at every so manieth update. */
function delayed(
  every: number,
  count: Tensor,
  soft: Soft,
  turn: (soft: Soft, key: Tensor) => { soft: Soft },
  key: Tensor,
): { soft: Soft; loss?: Tensor; entropy?: Tensor } {
  const due = eq(mod(count, every), 0);
  const step = ({ soft: s, time }: { soft: Soft; time: Tensor }) => ({
    soft: turn(s, random.foldKey(key, time)).soft,
    time: add(time, 1),
  });
  return { soft: when(due, step, { soft, time: sub(count, count) }, every).soft };
}
