import { choice, define, fail, setting } from "@reins/core";
import { Arms, banditSizes, bestArm, checkBlind } from "./bandits/arms.ts";
import { drawBeta } from "./bandits/beta.ts";
import { playBandit } from "./bandits/play.ts";

/** Thompson sampling (Thompson, 1933): for rewards from 0 to 1 as Agrawal and Goyal (2012), for others with normal ones. */
export const thompson = define({
  name: "thompson",
  summary: "Bandits: pulls each arm as often as it is likely to be the best, by what was seen.",
  paper:
    "On the Likelihood that One Unknown Probability Exceeds Another in View of the Evidence of Two Samples (Thompson, 1933)",
  options: {
    rewards: choice<"bernoulli" | "gaussian">(
      "bernoulli",
      ["bernoulli", "gaussian"],
      'What arms pay: something from 0 to 1 ("bernoulli"), or any number with normal noise ("gaussian").',
    ),
    successes: setting(
      1,
      "Bernoulli: successes imagined for each arm beforehand. Higher is more hopeful (0.5 to 2).",
      { within: "positive" },
    ),
    failures: setting(
      1,
      "Bernoulli: failures imagined for each arm beforehand. Higher is less hopeful (0.5 to 2).",
      { within: "positive" },
    ),
    mean: setting(0, "Gaussian: what an arm is thought to pay beforehand. Higher tries all arms sooner.", {
      within: "any",
    }),
    deviation: setting(
      1,
      "Gaussian: how unsure that is. Higher trusts what was seen sooner (the spread between arms, or more).",
      { within: "positive" },
    ),
    noise: setting(
      1,
      "Gaussian: standard deviation of an arm's rewards. Higher tries all arms for longer; too low may miss the best.",
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
      /** A mean that the arm may well have, by what was seen of it. */
      const draw = (at: number): number => {
        const n = counts[at];
        if (!gaussian)
          return drawBeta(o.successes.value + means[at] * n, o.failures.value + (1 - means[at]) * n, random);
        // Prior and rewards weigh as much as they are precise.
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
              `${context.spec.id} paid ${reward}, which is not from 0 to 1. Use rewards: "gaussian".`,
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
