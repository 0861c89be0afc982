import { choice, define, fail, setting } from "@reins/core";
import { Arms, banditSizes, bestArm, checkBlind } from "./bandits/arms.ts";
import { drawBeta } from "./bandits/beta.ts";
import { playBandit } from "./bandits/play.ts";

/**
 * Thompson sampling (Thompson, 1933): with a beta prior for rewards from 0 to 1 as in Agrawal and Goyal (2012),
 * and a normal prior for others.
 */
export const thompson = define({
  name: "thompson",
  summary: "Bandits: pulls each arm with its posterior probability of being the best.",
  paper:
    "On the Likelihood that One Unknown Probability Exceeds Another in View of the Evidence of Two Samples (Thompson, 1933)",
  options: {
    rewards: choice<"bernoulli" | "gaussian">(
      "bernoulli",
      ["bernoulli", "gaussian"],
      'Reward model: from 0 to 1 ("bernoulli"), or any number with normal noise ("gaussian").',
    ),
    successes: setting(1, "Bernoulli: prior successes of each arm. Higher is more optimistic (0.5 to 2).", {
      within: "positive",
    }),
    failures: setting(1, "Bernoulli: prior failures of each arm. Higher is less optimistic (0.5 to 2).", {
      within: "positive",
    }),
    mean: setting(0, "Gaussian: prior mean reward of an arm. Higher tries all arms sooner.", {
      within: "any",
    }),
    deviation: setting(
      1,
      "Gaussian: prior standard deviation. Higher relies on observed rewards sooner (the spread between arms, or more).",
      { within: "positive" },
    ),
    noise: setting(
      1,
      "Gaussian: standard deviation of an arm's rewards. Higher explores longer; too low may miss the best arm.",
      { within: "positive" },
    ),
    ...banditSizes,
  },
  actions: ["discrete"],
  requires: ({ spec }, name) => checkBlind(name, spec),
  start(o, context) {
    const gaussian = o.rewards === "gaussian";
    return playBandit("thompson", o, context, (setup) => {
      const { random } = setup;
      const arms = new Arms(setup);
      const { counts, means } = arms;
      /** A sample from the posterior of the arm's mean. */
      const draw = (at: number): number => {
        const n = counts[at];
        if (!gaussian)
          return drawBeta(o.successes.value + means[at] * n, o.failures.value + (1 - means[at]) * n, random);
        // Prior and rewards are weighted by their precision.
        const before = 1 / o.deviation.value ** 2;
        const seen = n / o.noise.value ** 2;
        const mean = (before * o.mean.value + seen * means[at]) / (before + seen);
        return mean + random.standardNormal() / Math.sqrt(before + seen);
      };
      return {
        choose(row) {
          const from = row * arms.arms;
          let best = 0;
          let most = Number.NEGATIVE_INFINITY;
          for (let a = 0; a < arms.arms; a++) {
            const value = draw(from + a);
            if (value <= most) continue;
            best = a;
            most = value;
          }
          return best;
        },
        learn(row, arm, reward) {
          if (!gaussian && !(reward >= 0 && reward <= 1))
            fail(
              "thompson",
              `reward ${reward} of ${context.spec.id} is outside 0 to 1. Use rewards: "gaussian".`,
            );
          // A reward between 0 and 1 counts as a success with that probability.
          const coin = gaussian || reward === 0 || reward === 1;
          arms.learn(row, arm, coin ? reward : random.random() < reward ? 1 : 0);
        },
        ...bestArm(context.spec, setup, means),
        parts: arms.parts,
      };
    });
  },
});
