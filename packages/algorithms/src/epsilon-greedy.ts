import { define, setting, size } from "@reins/core";
import { Arms, banditSizes, bestArm, checkBlind } from "./bandits/arms.ts";
import { playBandit } from "./bandits/play.ts";

/** The greedy arm, and with probability epsilon a random one (Sutton and Barto, 2018, chapter 2). */
export const epsilonGreedy = define({
  name: "epsilon-greedy",
  summary: "Bandits: pulls the best arm so far, and occasionally a random one. The usual baseline.",
  paper: "Reinforcement Learning: An Introduction, chapter 2 (Sutton and Barto, 2018)",
  options: {
    epsilon: setting(
      0.1,
      "Probability of a random pull. Higher finds the best arm sooner and pulls it less (0.01 to 0.2).",
      { within: "share" },
    ),
    learningRate: setting(
      0,
      "Step size of the value updates; 0 averages over all pulls. Higher forgets sooner, for non-stationary arms (0 to 0.2).",
      { within: "share" },
    ),
    initial: size(
      0,
      "Initial value of every arm; the first pull overwrites it unless learningRate is set. Optimistic values make all arms be tried.",
      { within: "any" },
    ),
    ...banditSizes,
  },
  actions: ["discrete"],
  requires: ({ spec }, name) => checkBlind(name, spec),
  start(o, context) {
    return playBandit("epsilon-greedy", o, context, (setup) => {
      const { random } = setup;
      const arms = new Arms(setup, o.initial);
      const { means } = arms;
      return {
        choose(row) {
          const from = row * arms.arms;
          if (random.random() < o.epsilon.value) return Math.floor(random.random() * arms.arms);
          let best = 0;
          let ties = 1;
          for (let a = 1; a < arms.arms; a++) {
            const more = means[from + a] - means[from + best];
            if (more > 0) {
              best = a;
              ties = 1;
            } else if (more === 0 && random.random() * ++ties < 1) best = a;
          }
          return best;
        },
        learn: (row, arm, reward) => arms.learn(row, arm, reward, o.learningRate.value),
        ...bestArm(context.spec, setup, means),
        parts: arms.parts,
      };
    });
  },
});
