import { unroll } from "@reins/core";
import { inventory, poissonDemand } from "@reins/envs";
import * as nn from "@reins/nn";
import { recipe, type Trial } from "@reins/recipes";
import * as t from "@reins/tensor";

type Tensor = t.Tensor;
const [mean, periods, histories, gamma] = [5, 50, 1024, 0.95];
const shop = inventory({ leadTime: 4, holding: 1, penalty: 9, unmet: "lost", initial: 2 * mean });

/** The order for a stock; how far REINFORCE tries others, and what it expects to follow. */
const actor = nn.mlp({ inputs: 4, hidden: [32, 32], outputs: 1, outputGain: 0.1 });
const critic = nn.mlp({ inputs: 4, hidden: [32, 32], outputs: 1 });
const init = ([a, b]: Tensor[]) => ({ actor: actor.init(a), critic: critic.init(b), logStd: t.zeros([1]) });
type Weights = ReturnType<typeof init>;
const order = (w: Weights, stock: Tensor) => t.softplus(actor.apply(w.actor, stock.div(mean))).mul(mean);

/** Replays recorded demand under a policy: what happened in each period of each trace. */
const replay = (demand: Tensor, key: Tensor, act: (stock: Tensor, key: Tensor) => Tensor) => {
  const start = shop.reset({ demand }, demand.shape[0], t.random.foldKey(key, 0));
  const how = { start, steps: demand.shape[1], key: t.random.foldKey(key, 1) };
  return unroll(shop, { demand }, { ...how, act: (stock, k) => act(stock as Tensor, k) });
};

type Loss = (w: Weights, demand: Tensor, key: Tensor) => Tensor;

/** HDPO: the mean cost is differentiated through the dynamics of the whole trajectory. */
const pathwise: Loss = (w, demand, key) => {
  const { reward } = replay(demand, key, (stock) => order(w, stock));
  return reward.mean().neg();
};

/** REINFORCE: orders are drawn, and made likelier the less it costs afterwards than the critic expected. */
const scoreFunction: Loss = (w, demand, key) => {
  const policy = (stock: Tensor) => nn.distributions.normal({ mean: order(w, stock), logStd: w.logStd });
  const played = replay(demand, key, (stock, k) => t.stopGradient(policy(stock).sample(k)));
  const follow = (later: Tensor, now: Tensor) => {
    const total = later.mul(gamma).add(now.mul(1 - gamma));
    return [total, total] as const;
  };
  const { ys } = t.scan(follow, t.zeros([demand.shape[0]]), played.reward, { reverse: true });
  const stock = (played.observation as Tensor).reshape([-1, 4]);
  const error = ys.reshape([-1]).sub(critic.apply(w.critic, stock.div(mean)).reshape([-1]));
  const advantage = t.stopGradient(error.sub(error.mean()).div(t.std(error).add(1e-6)));
  const likelier = policy(stock)
    .logProb(played.action.reshape([-1, 1]))
    .mul(advantage);
  return t.square(error).mean().sub(likelier.mean());
};

/** Mean cost of a period when the first ones, which depend on the beginning, are left out. */
const cost = (demand: Tensor, key: Tensor, act: (stock: Tensor) => Tensor) =>
  replay(demand, key, act)
    .reward.slice([[periods / 2, demand.shape[1]]])
    .mean()
    .neg();
const costOfPolicy = t.compile((w: Weights, d: Tensor, key: Tensor) => cost(d, key, (s) => order(w, s)));
const costOfLevel = t.compile((level: Tensor, d: Tensor, key: Tensor) =>
  cost(d, key, (stock) => level.sub(t.sum(stock, { axis: 1, keepDims: true }))),
);

const side = (name: string, loss: Loss) => ({
  name,
  run({ settings: { learningRate, batch }, seed, budget, quick }: Trial<typeof grid>) {
    const [a, b, learnKey, testKey] = t.random.splitKey(t.random.key(seed), 4);
    const history = poissonDemand(mean, histories, periods, [seed, 0]);
    const weights = init([a, b]);
    const optimiser = nn.adam();
    const moments = optimiser.init(weights);
    const update = t.compile(
      (w: Weights, m: typeof moments, recorded: Tensor, rate: Tensor) => {
        const [pick, play] = t.random.splitKey(t.random.foldKey(learnKey, m.step));
        const demand = t.take(recorded, t.random.randint(pick, [batch], 0, histories));
        const { value, gradient } = t.valueAndGradient((p: Weights) => loss(p, demand, play))(w);
        const { gradients } = nn.clipGlobalNorm(gradient, 1);
        return { ...optimiser.update(gradients, m, w, { learningRate: rate }), value };
      },
      { donate: [0, 1] },
    );
    const rate = t.scalar(learningRate);
    const step = update.bind(weights, moments, history, rate);
    const updates = Math.floor(budget / (batch * periods));
    const early: number[] = [];
    for (let i = 0; i < updates; i++) {
      rate.set(learningRate * (1 - i / updates));
      step.run();
      if (i < 3) early.push(step.result.value.item());
    }
    const levels = [25, 26, 27, 28, 29, 30, 31].map((l) => t.scalar(l));
    const searched = levels.map((l) => costOfLevel(l, history, learnKey).item());
    const level = levels[searched.indexOf(Math.min(...searched))];
    const fresh = poissonDemand(mean, quick ? 16 : 1024, 2 * periods, [seed, 1]);
    return {
      value: costOfPolicy(weights, fresh, testKey).item(),
      early,
      used: updates * batch * periods,
      also: { "best base-stock policy": costOfLevel(level, fresh, testKey).item() },
    };
  },
});

const grid = { learningRate: [1e-3, 3e-3, 1e-2], batch: [16, 64] } as const;

export default recipe({
  id: "hdpo-inventory",
  paper: "Deep Reinforcement Learning for Inventory Networks: Toward Reliable Policy Optimization",
  about:
    "Decisions of a store do not change the demand, so any policy can be replayed on recorded demand, and its cost is differentiable in the orders. HDPO trains a network by the gradient of the cost through the whole replayed trajectory, in place of the score function. Claimed: near-optimal policies, and lower costs than variants of REINFORCE.",
  baseline: side("REINFORCE", scoreFunction),
  system: side("HDPO", pathwise),
  metric: { name: "mean cost of a period on fresh demand", better: "lower", worst: 50 },
  // A gap of one percent is what the field calls near-optimal.
  claim: { kind: "ratio", smallest: 1.01 },
  grid,
  budget: { unit: "periods", full: 400_000, quick: 8_000 },
  deviations: [
    "One store with lost sales and a lead time of 4 periods, Poisson demand of mean 5 and costs of 1 and 9; no network of stores, and no graph network.",
    "REINFORCE has a critic, normalised advantages and costs discounted by 0.95, which served it best here.",
    "Both learn from the same 1024 recorded traces of 50 periods; orders may be fractions.",
    "The optimum is not computed: the best base-stock policy, found by search, is what costs are compared with.",
  ],
});
