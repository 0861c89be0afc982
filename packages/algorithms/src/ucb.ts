import { choice, define, fail, setting } from "@reins/core";
import { real } from "@reins/tensor";
import { Arms, banditSizes, bestArm, checkBlind } from "./bandits/arms.ts";
import { playBandit } from "./bandits/play.ts";

/** Upper confidence bounds: UCB1 (Auer et al., 2002) and KL-UCB (Garivier and Cappé, 2011). */
export const ucb = define({
  name: "ucb",
  summary: "Bandits: pulls the arm with the highest upper confidence bound.",
  paper: "Finite-time Analysis of the Multiarmed Bandit Problem (Auer, Cesa-Bianchi and Fischer, 2002)",
  options: {
    bound: choice<"ucb1" | "kl">(
      "ucb1",
      ["ucb1", "kl"],
      'Confidence bound: from the range of rewards ("ucb1"), or from the KL divergence ("kl"), which is tighter and needs rewards from 0 to 1.',
    ),
    exploration: setting(
      2,
      "UCB1: factor under the root. Higher explores longer; 2 is proved, less is often better in practice (0.5 to 2).",
      { within: "nonnegative" },
    ),
    range: setting(1, "UCB1: range of the rewards. Higher explores longer; too low may miss the best arm.", {
      within: "nonnegative",
    }),
    logWeight: setting(
      0,
      "KL-UCB: weight of the log log term. Higher explores slightly more; 3 is proved, 0 is best in practice (0 to 3).",
      { within: "nonnegative" },
    ),
    ...banditSizes,
  },
  actions: ["discrete"],
  requires: ({ spec }, name) => checkBlind(name, spec),
  start(o, context) {
    const kl = o.bound === "kl";
    return playBandit("ucb", o, context, (setup) => {
      const arms = new Arms(setup);
      const { counts, means } = arms;
      return {
        choose(row) {
          const from = row * arms.arms;
          const time = real.log(arms.pulls[row]);
          const level = time + o.logWeight.value * real.log(Math.max(1, time));
          let best = 0;
          let most = Number.NEGATIVE_INFINITY;
          for (let a = 0; a < arms.arms; a++) {
            const n = counts[from + a];
            if (n === 0) return a;
            const bound = kl
              ? klBound(means[from + a], level / n)
              : means[from + a] + o.range.value * Math.sqrt((o.exploration.value * time) / n);
            if (bound <= most) continue;
            best = a;
            most = bound;
          }
          return best;
        },
        learn(row, arm, reward) {
          if (kl && !(reward >= 0 && reward <= 1))
            fail(
              "ucb",
              `reward ${reward} of ${context.spec.id} is outside 0 to 1, which the bound "kl" needs. Use "ucb1" and a range.`,
            );
          arms.learn(row, arm, reward);
        },
        ...bestArm(context.spec, setup, means),
        parts: arms.parts,
      };
    });
  },
});

/** The highest q from `p` to 1 with KL divergence from `p` of at most `level`, for Bernoulli distributions. */
export function klBound(p: number, level: number): number {
  if (p >= 1 || level <= 0) return p;
  const certainty = (p > 0 ? p * real.log(p) : 0) + (1 - p) * real.log(1 - p);
  // Never below the answer: by Pinsker's inequality, and because p · log(1 / q) is not negative.
  let q = Math.min(p + Math.sqrt(level / 2), -real.expm1((certainty - level) / (1 - p)));
  if (q >= 1) return 1;
  // The divergence is convex in q: Newton steps from above never pass the answer.
  for (let i = 0; i < 50 && q > p; i++) {
    const excess = certainty - (p > 0 ? p * real.log(q) : 0) - (1 - p) * real.log1p(-q) - level;
    const step = (excess * q * (1 - q)) / (q - p);
    q -= step;
    if (step < 1e-10) break;
  }
  return Math.min(1, Math.max(p, q));
}
