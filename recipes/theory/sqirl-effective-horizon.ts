import { defaultRng, type Generator, stream } from "@reins/core/random";
import * as envs from "@reins/envs";
import { type Grid, recipe, type Settings, type Trial, tableArm } from "@reins/recipes";
import { greedy, RandomContinuations, randomLake, returnOf } from "./sqirl-effective-horizon.parts.ts";

/** Steps of an episode, and the lakes: side, holes, and probability that a step goes where it should. */
const [horizon, side, holes, successRate] = [20, 5, 5, 0.8];
const grid = { depth: [1, 2, 3, 5], keep: [0.5, 0.7, 1] } as const;
const learning = { learningRate: [0.03, 0.1, 0.3], epsilon: [0.1, 0.2, 0.4, 0.8] } as const;
const optimism = { learningRate: [0.03, 0.1, 0.3], initial: [0.01, 0.1, 0.3, 1] } as const;

/** A method in a lake: an action, what it learns from an episode, and its policy for each step. */
interface Learner {
  act(state: number, step: number, random: Generator): number;
  learn(episode: readonly Step[]): void;
  policies(): Int32Array[];
}
/** A step of an episode; `next` is −1 at its end. */
type Step = {
  readonly state: number;
  readonly action: number;
  readonly reward: number;
  readonly next: number;
};

const arm = <G extends Grid>(
  name: string,
  learnerOf: (settings: Settings<G>, mdp: envs.TabularMdp, budget: number) => Learner,
  own?: G,
) =>
  tableArm({
    name,
    ...(own && { grid: own }),
    begin({ seed, settings, budget }: Trial<G>, random: Generator) {
      const map = randomLake(defaultRng(stream(seed, "lake")), side, holes);
      const mdp = envs.frozenLakeModel({ map, successRate });
      const optimum = envs.backwardInduction(mdp, { horizon }).values[0][0];
      const learner = learnerOf(settings as Settings<G>, mdp, budget);
      let [total, episodes] = [0, 0];
      return {
        step() {
          const episode: Step[] = [];
          for (let t = 0, state = 0; t < horizon && state >= 0; t++) {
            const action = learner.act(state, t, random);
            const { reward, terminated, state: to } = envs.sampleOutcome(mdp, state, action, random);
            episode.push({ state, action, reward, next: terminated ? -1 : to });
            state = terminated ? -1 : to;
            total += reward;
          }
          learner.learn(episode);
          episodes++;
          return episode.length;
        },
        values: () => ({
          share: returnOf(mdp, learner.policies()) / optimum,
          training: total / episodes / optimum,
          optimum,
        }),
      };
    },
  });

/** Policies of steps are learned one after the other, from episodes that follow those of the steps before and are random from there on. */
const sqirl =
  (depthOf: (settings: Settings<typeof grid>) => number) =>
  (settings: Settings<typeof grid>, { states, actions }: envs.TabularMdp, budget: number): Learner => {
    const seen = new RandomContinuations(states, actions);
    const found: Int32Array[] = [];
    const each = Math.max(1, Math.floor(budget / horizon));
    let episodes = 0;
    return {
      act: (state, t, random) => (t < found.length ? found[t][state] : random.integers(actions)),
      learn(episode) {
        let total = 0;
        for (let t = episode.length - 1; t >= Math.min(found.length, horizon - 1); t--) {
          const { state, action, reward, next } = episode[t];
          seen.add(state, action, reward, next, (total += reward));
        }
        if (++episodes % each > 0 || found.length === horizon) return;
        found.push(greedy(seen.values(depthOf(settings)), states, actions));
        seen.fade(settings.keep);
      },
      policies: () => Array.from({ length: horizon }, (_, t) => found[Math.min(t, found.length - 1)]),
    };
  };

/** Q-learning from these initial values. */
function qLearning(
  { states, actions }: envs.TabularMdp,
  { learningRate, epsilon = 0, initial = 0 }: { learningRate: number; epsilon?: number; initial?: number },
): Learner {
  const q = new Float64Array(states * actions).fill(initial);
  const best = (state: number) => Math.max(...q.subarray(state * actions, (state + 1) * actions));
  return {
    act(state, _, random) {
      if (random.random() < epsilon) return random.integers(actions);
      const most = best(state);
      const tied = Array.from({ length: actions }, (_, a) => a).filter(
        (a) => q[state * actions + a] === most,
      );
      return tied[random.integers(tied.length)];
    },
    learn(episode) {
      for (const { state, action, reward, next } of [...episode].reverse()) {
        const target = reward + (next < 0 ? 0 : 0.95 * best(next));
        q[state * actions + action] += learningRate * (target - q[state * actions + action]);
      }
    },
    policies: () => Array.from({ length: horizon }, () => greedy(q, states, actions)),
  };
}

export default recipe({
  id: "sqirl-effective-horizon",
  paper: "The Effective Horizon Explains Deep RL Performance in Stochastic Environments",
  source: "arXiv:2312.08369, cassidylaidlaw/effective-horizon",
  about:
    "Deep RL explores at random and still succeeds, which theory of strategic exploration does not explain. SQIRL does the same in a form that can be analysed: it fixes the policy of one step after the other, from episodes that are random after that step, by regression on their returns and a few steps of Q-iteration. It succeeds where few such steps suffice (the effective horizon). Claimed: it does about as well as PPO and DQN on 155 stochastic environments.",
  system: arm(
    "SQIRL",
    sqirl((s) => s.depth),
  ),
  baselines: [
    arm(
      "Q-learning",
      ({ learningRate, epsilon }, mdp) => qLearning(mdp, { learningRate, epsilon }),
      learning,
    ),
    arm(
      "optimistic Q-learning",
      ({ learningRate, initial }, mdp) => qLearning(mdp, { learningRate, initial }),
      optimism,
    ),
  ],
  ablations: [
    arm(
      "SQIRL without Q-iteration",
      sqirl(() => 1),
    ),
  ],
  metrics: {
    share: {
      about: "return of the final policy as a share of the optimum",
      better: "higher",
      worst: 0,
      best: 1,
    },
  },
  claims: [
    {
      kind: "no-worse",
      metric: "share",
      contrast: ["SQIRL", "each"],
      margin: 0.05,
      because: "a twentieth of the optimum is seen in forty crossings",
      paper: "solves about as many environments as PPO and DQN",
    },
  ],
  grid,
  limits: { depth: [1, 20], keep: [0, 1], learningRate: [0.01, 1], epsilon: [0.01, 1], initial: [0.001, 3] },
  replicates: "lake",
  minutes: 2,
  budget: { unit: "episodes", full: 2000, quick: 200 },
  deviations: [
    "Tables on random 5 × 5 lakes with five holes replace networks on 155 environments of Atari, Procgen and MiniGrid, and tabular Q-learning PPO and DQN: what function approximation adds is not tested.",
    "An equal number of episodes for each of 20 steps; the depth and the share of old data that is kept are tuned over all lakes, where the paper chooses the depth for each environment.",
  ],
  tried: [
    "Without data of earlier steps (0 kept), six lakes: 0 to 0.39. Learning rates of 0.3 and 1 for Q-learning: at most 0.78 and 0.27, where 0.1 reached 0.87.",
  ],
  finding: (f) =>
    `Reversed: SQIRL reaches less of the optimum than Q-learning, which also explores at random. What speaks against this: tables do not generalise, and SQIRL shares its episodes among the twenty steps and pools values of all steps, where the paper has networks and chooses the depth for each environment. The share of the optimum changes by ${f.effect()} against the better form of Q-learning over ${f.count} lakes. SQIRL reaches ${f.mean("SQIRL", "share")} of the optimum, ε-greedy Q-learning ${f.mean("Q-learning", "share")}, optimistic Q-learning ${f.mean("optimistic Q-learning", "share")}, and SQIRL without Q-iteration ${f.mean("SQIRL without Q-iteration", "share")}.`,
});
