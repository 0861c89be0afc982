import { MappedValues, tileCoding, trainMappedValues, valueMappings } from "@reins/algorithms";
import { defaultRng, stream } from "@reins/core/random";
import * as envs from "@reins/envs";
import { mean, recipe, type Trial } from "@reins/recipes";

/** Contexts: grid worlds rotated by -0.5 to 2.5 quarter turns. Every second context of the middle range is for training. */
const [count, gamma] = [49, 0.9];
const fields = Array.from({ length: count }, (_, i) => envs.rotatedFieldModel({ turn: -0.5 + i / 16 }));
const all = fields.map((_, i) => i);
const [first, last] = [12, 36];
const inside = all.slice(first, last + 1);
const trained = inside.filter((i) => i % 2 === 0);
const { states, actions } = fields[0];
const whole = { weight: 1, mapping: valueMappings.linear(), reward: (r: number) => r };

/** Features of a state: the state alone, with overlapping tiles of the context, or with a table per context. */
const overlapping = tileCoding(count, 4);
const views = {
  hidden: (_: number, s: number) => [s],
  visible: (i: number, s: number) =>
    overlapping[Math.min(Math.max(i, first), last)].map((t) => t * states + s),
  "one each": (i: number, s: number) => [i * states + s],
};

/** Episodes in sampled training contexts; states are numbered across contexts. */
function world(random: ReturnType<typeof defaultRng>) {
  let [context, state] = [0, 0];
  const begin = () => {
    [context, state] = [random.choice(trained), 0];
    return context * states;
  };
  const step = (action: number) => {
    const next = envs.sampleOutcome(fields[context], state, action, random);
    state = next.state;
    return { state: context * states + state, reward: next.reward, over: next.terminated };
  };
  return { states: count * states, actions, begin, step };
}

const arm = (name: keyof typeof views) => ({
  name,
  run({ seed, settings, budget }: Trial<typeof grid>) {
    const random = defaultRng(stream(seed, "training"));
    const features = all.flatMap((i) => tileCoding(states, 1).map(([s]) => views[name](i, s)));
    const rates = { regularRate: settings.learningRate, mappedRate: 1 };
    const q = new MappedValues({ channels: [whole], features, actions, gamma, ...rates });
    const early = trainMappedValues(q, world(random), { steps: budget, epsilon: settings.epsilon, random });
    const share = (i: number) => {
      const policy = Int32Array.from({ length: states }, (_, s) => q.best(i * states + s));
      const worth = (values: Float64Array) => envs.startValue(fields[i], values);
      const best = worth(envs.valueIteration(fields[i], { gamma }).values);
      return worth(envs.evaluatePolicy(fields[i], policy, { gamma })) / best;
    };
    const between = inside.filter((i) => !trained.includes(i));
    const beyond = all.filter((i) => !inside.includes(i));
    const of = (contexts: readonly number[]) => mean(contexts.map(share));
    return {
      values: { trained: of(trained), between: of(between), beyond: of(beyond) },
      early,
      used: budget,
    };
  },
});

const grid = { learningRate: [0.1, 0.3], epsilon: [0.3, 0.5] } as const;
const share = (about: string) => ({ about, better: "higher", worst: 0, best: 1 }) as const;
const because = "a twentieth of the best value is half a step more on a way of eight";

export default recipe({
  id: "carl-contextual-rl",
  paper: "Contextualize Me -- The Case for Context in Reinforcement Learning",
  source: "arXiv:2202.04500",
  about:
    "A contextual problem is a family of environments that differ in a few numbers, the context. Agents are trained in some contexts and tested in others, and may observe the context or not. Claimed: optimal behaviour requires the context, even simple environments become hard, and adding the context to the observation is not enough to generalise.",
  system: arm("visible"),
  baselines: [arm("hidden")],
  ablations: [arm("one each")],
  metrics: {
    trained: share("share of the optimal value in training contexts"),
    between: share("share of the optimal value between training contexts"),
    beyond: share("share of the optimal value outside the training range"),
  },
  claims: [
    { metric: "trained", smallest: 0.05, because, paper: "optimal behaviour requires context information" },
    {
      metric: ["beyond", "trained"],
      contrast: ["visible", "visible"],
      direction: "lower",
      smallest: 0.05,
      because,
      paper: "naive solutions are not enough to generalise",
    },
    { metric: "beyond", smallest: 0.05, because },
    {
      kind: "no-worse",
      metric: ["between", "trained"],
      contrast: ["visible", "visible"],
      margin: 0.05,
      because,
    },
  ],
  grid,
  limits: { learningRate: [0.01, 1], epsilon: [0.01, 1] },
  budget: { unit: "steps", full: 60_000, quick: 6000 },
  minutes: 1,
  deviations: [
    "5 × 5 grid worlds with rotated directions and tabular Q-learning replace control tasks, games and deep RL; the context is one angle.",
    "A visible context is encoded by four overlapping tiles, each a sixteenth of a turn wide; outside the training range the nearest training context is shown.",
  ],
  tried: [
    "Training in half as wide a range of angles, four seeds: hidden 0.92, visible 0.97 of the optimal value in training contexts; outside, at most an eighth of a turn away, 0.37 and 0.57.",
  ],
  finding: (f) =>
    `Observing the context helps in training contexts and outside them, and performance still drops outside, as claimed. The context is a single number, and outside the training range the nearest training context is shown, without which nothing would be known there. Visible contexts reach ${f.mean("visible", "trained")} of the optimal value in training contexts, ${f.mean("visible", "between")} between them and ${f.mean("visible", "beyond")} outside; hidden ones ${f.mean("hidden", "trained")}, ${f.mean("hidden", "between")} and ${f.mean("hidden", "beyond")}. A separate table per context, with the same number of steps in total, reaches ${f.mean("one each", "trained")} in training contexts and ${f.mean("one each", "between")} between them.`,
});
