import { define, setting, size } from "@reins/core";
import { real } from "@reins/tensor";
import { banditSizes, bestArm, checkBlind } from "./bandits/arms.ts";
import { playBandit } from "./bandits/play.ts";

/** The gradient bandit (Williams, 1992; Sutton and Barto, 2018, section 2.8): REINFORCE without states. */
export const gradientBandit = define({
  name: "gradient-bandit",
  summary:
    "Bandits: raises the preference for arms with above-average rewards. The smallest policy gradient.",
  paper:
    "Simple Statistical Gradient-Following Algorithms for Connectionist Reinforcement Learning (Williams, 1992)",
  options: {
    learningRate: setting(0.1, "Learning rate. Higher converges sooner, also to a wrong arm (0.02 to 0.4).", {
      within: "nonnegative",
    }),
    baseline: size(
      true,
      "Subtract the mean reward as a baseline. Without it, every arm with positive rewards gains preference.",
    ),
    ...banditSizes,
  },
  actions: ["discrete"],
  requires: ({ spec }, name) => checkBlind(name, spec),
  start(o, context) {
    return playBandit("gradient-bandit", o, context, (setup) => {
      const { rows, arms, random } = setup;
      const preference = new Float64Array(rows * arms);
      const probability = new Float64Array(rows * arms);
      const usual = new Float64Array(rows);
      const pulls = new Float64Array(rows);
      return {
        choose(row) {
          const from = row * arms;
          softmax(preference, probability, from, arms);
          let left = random.random();
          for (let a = 0; a < arms - 1; a++) {
            left -= probability[from + a];
            if (left < 0) return a;
          }
          return arms - 1;
        },
        learn(row, arm, reward) {
          pulls[row]++;
          // The mean includes this reward, as in the book.
          usual[row] += (reward - usual[row]) / pulls[row];
          const better = reward - (o.baseline ? usual[row] : 0);
          for (let a = 0; a < arms; a++) {
            const at = row * arms + a;
            preference[at] += o.learningRate.value * better * ((a === arm ? 1 : 0) - probability[at]);
          }
        },
        ...bestArm(context.spec, setup, preference),
        parts: { preference, probability, usual, pulls },
      };
    });
  },
});

/** Softmax over a range of entries. */
function softmax(x: Float64Array, out: Float64Array, from: number, count: number): void {
  let highest = Number.NEGATIVE_INFINITY;
  for (let i = from; i < from + count; i++) highest = Math.max(highest, x[i]);
  let sum = 0;
  for (let i = from; i < from + count; i++) sum += out[i] = real.exp(x[i] - highest);
  for (let i = from; i < from + count; i++) out[i] /= sum;
}
