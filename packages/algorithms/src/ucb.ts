import { define, fail, setting, size } from "@reins/core";
import { Arms, banditSizes, bestArm, checkBlind } from "./bandits/arms.ts";
import { playBandit } from "./bandits/play.ts";

/** Upper confidence bounds: UCB1 (Auer et al., 2002) and KL-UCB (Garivier and Cappé, 2011). */
export const ucb = define({
  name: "ucb",
  summary: "Bandits: pulls the arm that could still be the best, by an upper bound on what it pays.",
  paper: "Finite-time Analysis of the Multiarmed Bandit Problem (Auer, Cesa-Bianchi and Fischer, 2002)",
  options: {
    bound: size<"ucb1" | "kl">(
      "ucb1",
      'How the bound is found: from the range of rewards ("ucb1"), or from how likely the mean is ("kl"), which is tighter and takes rewards from 0 to 1.',
    ),
    exploration: setting(
      2,
      "UCB1: factor under the root. Higher tries all arms for longer; 2 is proved, less often pays more (0.5 to 2).",
    ),
    range: setting(1, "UCB1: how far apart rewards can be. Higher tries all arms for longer; too low may miss the best."),
    logWeight: setting(
      0,
      "KL-UCB: weight of the logarithm of the logarithm of time. Higher explores a little more; 3 is proved, 0 is best in practice (0 to 3).",
    ),
    ...banditSizes,
  },
  actions: ["discrete"],
  start(o, context) {
    checkBlind("ucb", context.spec);
    if (o.bound !== "ucb1" && o.bound !== "kl") fail("ucb", `bound is "${o.bound}"; it is "ucb1" or "kl".`);
    const kl = o.bound === "kl";
    return playBandit("ucb", o, context, (setup) => {
      const arms = new Arms(setup);
      const { counts, means } = arms;
      return {
        choose(row) {
          const from = row * arms.arms;
          const time = Math.log(arms.pulls[row]);
          const level = time + o.logWeight.value * Math.log(Math.max(1, time));
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
            fail("ucb", `${context.spec.id} paid ${reward}; the bound "kl" takes rewards from 0 to 1. Use "ucb1" and a range.`);
          arms.learn(row, arm, reward);
        },
        ...bestArm(context.spec, setup, means),
        parts: arms.parts,
      };
    });
  },
});

/** The highest q from `p` to 1 whose divergence from `p` is at most `level`, as probabilities of a coin. */
export function klBound(p: number, level: number): number {
  // Pinsker's inequality says how far it can be at most.
  let low = p;
  let high = Math.min(1, p + Math.sqrt(level / 2));
  // Halved until it no longer matters which of two arms is pulled.
  while (high - low > 1e-9) {
    const q = (low + high) / 2;
    if (divergence(p, q) > level) high = q;
    else low = q;
  }
  return low;
}

function divergence(p: number, q: number): number {
  const part = (x: number, y: number) => (x === 0 ? 0 : x * Math.log(x / y));
  return part(p, q) + part(1 - p, 1 - q);
}
