import { QTable } from "@reins/algorithms";
import { defaultRng, stream } from "@reins/core/random";
import { adversarialCliff, evaluatePolicy, type PushPolicy, startValue, valueIteration } from "@reins/envs";
import { mean, recipe, type Trial } from "@reins/recipes";
import { QuantalAdversary, rationalityCurriculum } from "./qarl.parts.ts";

const cliff = adversarialCliff({ width: 9, height: 5 });
/** The probability that a push moves the protagonist. */
const strength = 0.8;
const [gamma, maxSteps] = [0.98, 100];
const grid = { learningRate: [0.05, 0.15, 0.45], epsilon: [0.05, 0.15] } as const;

/** Test conditions: winds from four directions and random gusts, each at three strengths. */
const only = (way: number) => [0, 1, 2, 3, 4].map((w) => (w === way ? 1 : 0));
const gusts = [0.25, 0.25, 0.25, 0.25, 0];
const tests = [only(0), only(1), only(2), only(3), gusts].flatMap((chances) =>
  [1, 2, 3].map((third): PushPolicy => ({ push: () => chances, strength: (strength * third) / 3 })),
);
const perturbed = tests.map((t) => cliff.against(t));
const best = mean(perturbed.map((m) => startValue(m, valueIteration(m, { gamma }).values)));
/** Value against an adversary with full knowledge of the policy, at the same strengths. */
const hostile = (policy?: ArrayLike<number>) =>
  mean([1, 2, 3].map((third) => cliff.worst({ policy, strength: (strength * third) / 3, gamma })));
const still = cliff.against({ push: () => only(4), strength: 0 });

/** Exact values of the greedy policy: against the worst pushes, averaged over all winds, and without pushes. */
function tested(values: QTable) {
  const policy = Int32Array.from({ length: cliff.states }, (_, s) => values.best(s));
  const value = (mdp: typeof still) => startValue(mdp, evaluatePolicy(mdp, policy, { gamma }));
  return { hostile: hostile(policy), winds: mean(perturbed.map(value)), still: value(still) };
}

/** The adversary's temperature over training. */
type Rationality = () => { readonly value: number; told(earned: number): void };

const arm = (name: string, rationality?: Rationality) => ({
  name,
  run({ seed, settings, budget }: Trial<typeof grid>) {
    const { learningRate, epsilon } = settings;
    const random = defaultRng(stream(seed, "cliff"));
    const { states, actions, pushes } = cliff;
    const values = new QTable(states, actions, random);
    const adversary = new QuantalAdversary({ states, actions: pushes, random });
    const temperature = rationality?.();
    const late: ReturnType<typeof tested>[] = [];
    const early: number[] = [];
    let [state, time, earned] = [cliff.start, 0, 0];
    for (let t = 1; t <= budget; t++) {
      const any = (n: number) => random.integers(0, n);
      const action = random.random() < epsilon ? any(actions) : values.best(state);
      const warm = temperature?.value ?? 0;
      const push = temperature && random.random() >= epsilon ? adversary.act(state, warm) : any(pushes);
      const moves = temperature && random.random() < strength;
      const next = cliff.after(state, action, moves ? push : 4);
      values.learn({ ...next, state, action, next: next.state }, learningRate, gamma);
      const follows = next.terminated ? 0 : gamma * adversary.expected(next.state, warm);
      adversary.learn(state, push, next.reward + follows, learningRate);
      if (t > 200 && early.length < 20) early.push(next.state);
      [state, time, earned] = [next.state, time + 1, earned + next.reward];
      if (next.terminated || time === maxSteps) {
        temperature?.told(earned);
        [state, time, earned] = [cliff.start, 0, 0];
      }
      if (t % (budget / 20) === 0) late.push(tested(values));
    }
    const of = (key: keyof ReturnType<typeof tested>) => mean(late.map((x) => x[key]));
    const final = { hostile: of("hostile"), winds: of("winds"), still: of("still") };
    return { values: { ...final, temperature: temperature?.value ?? 0 }, early, used: budget };
  },
});

const fixed =
  (value: number): Rationality =>
  () => ({ value, told: () => {} });
const curriculum: Rationality = () =>
  rationalityCurriculum({ from: 1, least: 0.01, factor: 0.8, threshold: 0.3, window: 20 });

const gain = { smallest: 0.05, because: "one walk in forty that ends at the goal instead of in a fall" };

export default recipe({
  id: "qarl",
  paper: "Robust Adversarial Reinforcement Learning via Bounded Rationality Curricula",
  source: "arXiv:2311.01642",
  about:
    "A protagonist learns together with an adversary that pushes it and is rewarded for its losses. Against a fully rational adversary (RARL) it may learn nothing; QARL's adversary plays a quantal response, a softmax over values with a temperature that falls from nearly random play to full rationality as long as the protagonist keeps up. Claimed: better and more robust than RARL and than learning without an adversary.",
  system: arm("QARL", curriculum),
  baselines: [arm("RARL", fixed(0)), arm("no adversary")],
  ablations: [arm("random pushes", fixed(100))],
  metrics: {
    hostile: {
      about: "value against the worst pushes, mean over training",
      better: "higher",
      worst: -2,
      best: hostile(),
    },
    winds: { about: "value under fifteen winds, mean over training", better: "higher", worst: -2, best },
    still: { about: "value without pushes, mean over training", better: "higher", worst: -2, best: 1 },
  },
  claims: [
    {
      ...gain,
      metric: "hostile",
      contrast: ["QARL", "RARL"],
      paper: "outperforms RARL in performance and robustness",
    },
    { ...gain, metric: "hostile", contrast: ["QARL", "no adversary"] },
    { ...gain, metric: "winds", contrast: ["QARL", "RARL"] },
  ],
  grid,
  limits: { epsilon: [0.01, 0.2], learningRate: [0.001, 1] },
  budget: { unit: "steps", full: 20_000, quick: 4000 },
  minutes: 1,
  deviations: [
    "A walk of 45 cells along a cliff, in tables, replaces MuJoCo with adversarial forces and networks; winds outside of training replace other masses and frictions.",
    "Both learn from every step by Q-learning, the adversary by a soft variant, where the paper's agents alternate with soft actor-critic; both also act at random in one step of ten.",
    "The temperature falls by a fifth whenever twenty episodes have a mean return of 0.3, and is 0 below 0.01; the paper samples it from a distribution that an optimisation with such a constraint moves to 0.",
  ],
  tried: [
    "Pushes that move in one step of five or two of five, on 28 cells, six seeds: QARL, RARL and random pushes 0.70 to 0.72, no adversary 0.47 to 0.49. In one of two, on 45 cells, four seeds: 0.58, 0.57, 0.59 and 0.29.",
    "This form for 40,000 steps, four seeds: QARL 0.47 to 0.49, RARL 0.27 to 0.31, random pushes 0.44 to 0.47, no adversary 0.12 to 0.13. Measured in this form, by winds alone and with an epsilon up to 1, two blocks of eleven seeds left too little to gain (RARL 0.45 of 0.59): all arms were tuned to act at random in every second step, so that the curriculum never began.",
    "For 20,000 steps and epsilon up to 0.15, three seeds each: against the worst pushes QARL 0.13, RARL -0.27, random pushes 0.07, no adversary -0.69, of 0.35; under winds 0.42, 0.24, 0.41 and 0.13, of 0.59.",
  ],
  finding: (f) =>
    `QARL is more robust than RARL and than learning without an adversary, as claimed. Random pushes, which the paper does not test, do nearly as well: ${f.mean("random pushes", "hostile")} against the worst pushes and ${f.mean("random pushes", "winds")} under winds. Against the worst pushes QARL has ${f.mean("QARL", "hostile")} on average over training, RARL ${f.mean("RARL", "hostile")} and no adversary ${f.mean("no adversary", "hostile")}; under winds ${f.mean("QARL", "winds")}, ${f.mean("RARL", "winds")} and ${f.mean("no adversary", "winds")}. The final temperature is ${f.mean("QARL", "temperature")}, of 1. Without pushes the four have ${f.mean("QARL", "still")}, ${f.mean("RARL", "still")}, ${f.mean("no adversary", "still")} and, with random pushes in training, ${f.mean("random pushes", "still")}.`,
});
