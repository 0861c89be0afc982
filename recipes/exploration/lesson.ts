import {
  type ExplorationStrategy,
  epsilonMixture,
  exploreTabular,
  noveltySeeking,
  OptionExplorer,
  QTable,
  repeatedRandom,
  uniformRandom,
} from "@reins/algorithms";
import { defaultRng, type Generator, stream } from "@reins/core/random";
import { keyDoorModel, type TabularMdp } from "@reins/envs";
import { mean, recipe, type Trial } from "@reins/recipes";

/** A wide grid world, one with a key and a door, and one with a screen that always shows new images. */
const tasks = {
  field: keyDoorModel({ size: 11, locked: false }),
  door: keyDoorModel({ size: 7 }),
  screen: keyDoorModel({ size: 7, locked: false, pictures: 50 }),
};
const [gamma, maxSteps, bonus] = [0.97, 100, 0.01];
/** As in MiniGrid: 1 for reaching the goal at once, 0.1 at the last step, 0 for never. */
const returned = (lengths: readonly number[]) =>
  mean(lengths.map((n) => (n > maxSteps ? 0 : 1 - (0.9 * n) / maxSteps)));
const grid = { learningRate: [0.1, 0.3, 0.9], epsilon: [0.1, 0.3] } as const;
type Settings = Trial<typeof grid>["settings"];

/** Parts of all exploration strategies, built on the target policy's values. */
function partsOf({ states, actions }: TabularMdp, { learningRate, epsilon }: Settings, random: Generator) {
  const values = new QTable(states, actions, random);
  const greedy: ExplorationStrategy = { act: (state) => values.best(state) };
  const curious = noveltySeeking(states, actions, random, { rate: learningRate, gamma });
  const [any, again] = [uniformRandom(actions, random), repeatedRandom(actions, random)];
  const strategies = [greedy, any, again, curious];
  const now = (mostly: ExplorationStrategy, other: ExplorationStrategy) =>
    epsilonMixture(mostly, other, epsilon, random);
  return {
    values,
    greedy,
    any,
    again,
    curious,
    now,
    epsilon,
    strategies,
    states,
    random,
    learningRate,
    gamma,
  };
}
type Explores = (parts: ReturnType<typeof partsOf>) => ExplorationStrategy;

const arm = (name: string, explores: Explores) => ({
  name,
  run({ seed, settings, budget }: Trial<typeof grid>) {
    const one = (task: keyof typeof tasks) => {
      const parts = partsOf(tasks[task], settings, defaultRng(stream(seed, task)));
      const o = { ...parts, behaviour: explores(parts), steps: budget / 3, maxSteps, looks: 100 };
      return exploreTabular(tasks[task], o);
    };
    const all = [one("field"), one("door"), one("screen")];
    const [field, door, screen] = all.map((x) => returned(x.lengths));
    const values = { solved: mean([field, door, screen]), field, door, screen };
    const online = mean(all.map((x) => returned(x.episodes)));
    return { values: { ...values, online }, early: all.flatMap((x) => x.early), used: budget };
  },
});

const share = (about: string, best: number) => ({ about, better: "higher", worst: 0, best }) as const;
const [far, near] = [returned([20]), returned([12])];
const gain = {
  smallest: 0.03,
  because: "three steps of a hundred less to every goal, or one goal in thirty more",
};

export default recipe({
  id: "lesson",
  paper:
    "LESSON: Learning to Integrate Exploration Strategies for Reinforcement Learning via an Option Framework",
  source: "arXiv:2310.03342",
  about:
    "Exploration strategies are the options of an option-critic: the greedy policy, random actions, repeated random actions, and a novelty-seeking policy. In each state it learns the value of each option and when to terminate it; the target policy is learned off-policy from all of them. Claimed: it finds the strategy that suits a task, and does better than each strategy alone.",
  system: arm("LESSON", (p) => new OptionExplorer(p)),
  baselines: [
    arm("ε-greedy", ({ now, greedy, any }) => now(greedy, any)),
    arm("εz-greedy", ({ now, greedy, again }) => now(greedy, again)),
    arm("novelty", ({ now, curious, values, any }) =>
      now({ ...curious, act: (state) => values.best(state, curious.values, bonus) }, any),
    ),
    {
      ...arm("any strategy", (p) => new OptionExplorer({ ...p, epsilon: 1 })),
      grid: { learningRate: [0.03, 0.1, 0.2, 0.3, 0.6, 0.9] },
    },
  ],
  metrics: {
    solved: share("return of the target policy, mean over training and three tasks", (far + 2 * near) / 3),
    online: share("return while exploring, mean over three tasks", (far + 2 * near) / 3),
    field: share("return of the target policy in the wide grid world", far),
    door: share("return of the target policy with key and door", near),
    screen: share("return of the target policy with the screen", near),
  },
  claims: [
    {
      kind: "joint",
      because: "the point is that none of them need be chosen",
      paper: "effective across MiniGrid and Atari tasks",
      of: ["ε-greedy", "εz-greedy", "novelty"].map((alone) => ({
        ...gain,
        metric: "solved",
        contrast: ["LESSON", alone] as const,
      })),
    },
    { ...gain, metric: "solved", contrast: ["LESSON", "any strategy"] },
    { ...gain, metric: "online", contrast: ["LESSON", "any strategy"] },
  ],
  grid,
  limits: { learningRate: [0.01, 1], epsilon: [0.01, 1] },
  budget: { unit: "steps", full: 60_000, quick: 6000 },
  minutes: 2,
  deviations: [
    "Tables in grid worlds of 49 and 121 cells replace networks in MiniGrid and Atari games, and visit counts replace random network distillation.",
    "Options are valued by rewards alone; the initial termination probability is 0.1, and the termination gradient has no step size.",
    "The novelty bonus has a weight of 0.01; weights of 0.1 and 0.001 give the same result here.",
  ],
  tried: [
    "Options that also get the novelty bonus, with weights of 0.1 or 0.01, eight seeds: 0.74 and 0.73, with rewards alone 0.75. An initial termination probability of 0.5: 0.50; of 0.02: 0.74.",
    "A dial that is turned position by position instead of the screen, eight seeds: novelty, 0.77, is best in all three tasks, LESSON 0.73, εz-greedy 0.69.",
  ],
  finding: (f) =>
    `LESSON's gain over the best single strategies is negligible. It does beat ε-greedy clearly, but learning which strategy to use does not help: uniformly random strategies reach ${f.mean("any strategy", "solved")} where LESSON reaches ${f.mean("LESSON", "solved")} (${f.effect(1)}), and LESSON's tuned setting chooses at random in nine cases of ten. εz-greedy (${f.mean("εz-greedy", "solved")}) and novelty (${f.mean("novelty", "solved")}) are close behind; their tuned settings are hardly greedy at all, which costs the target policy nothing but lowers the return while exploring: ${f.mean("εz-greedy", "online")} and ${f.mean("novelty", "online")}, LESSON ${f.mean("LESSON", "online")}, any strategy ${f.mean("any strategy", "online")}, and ${f.mean("ε-greedy", "online")} for ε-greedy, which finds the distant goals last (${f.mean("ε-greedy", "solved")}). None is best everywhere: novelty is best with key and door (${f.mean("novelty", "door")}), εz-greedy with the screen (${f.mean("εz-greedy", "screen")}).`,
});
