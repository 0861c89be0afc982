import { meanOf } from "@reins/core/evaluations";
import { defaultRng } from "@reins/core/random";
import type { Findings } from "./finding.ts";
import { randomActions, type Subject } from "./subject.ts";

/** Mean absolute reward, and absolute return, beyond which default learning rates, clipping and critics fail. */
const largest = { reward: 50, return: 1e4 };

/** Plays at random and warns about rewards or returns that are too large to learn from. */
export function checkRewardScale(subject: Subject, seed: number, steps: number, findings: Findings): void {
  const random = defaultRng(seed);
  const sizes: number[] = [];
  const returns = new Float64Array(subject.rows);
  let extreme = 0;
  subject.reset(seed);
  for (let t = 0; t < steps; t++)
    subject.step(randomActions(subject, random)).forEach(({ reward, over }, row) => {
      const total = [reward].flat().reduce((sum: number, part) => sum + Number(part), 0);
      sizes.push(Math.abs(total));
      returns[row] += total;
      if (Math.abs(returns[row]) > Math.abs(extreme)) extreme = returns[row];
      if (over) returns[row] = 0;
    });
  const mean = meanOf(sizes);
  if (mean <= largest.reward && Math.abs(extreme) <= largest.return) return;
  findings.add({
    rule: "reward-scale",
    severity: "warning",
    expected: "rewards of about -10 to 10 per step, and returns of up to about 10,000",
    got: `a mean absolute reward of ${short(mean)}, and a return of ${short(extreme)}`,
    advice:
      "Scale the reward in the environment, or wrap it in normaliseReward (reins train … --wrappers normaliseReward): large value errors dominate the policy gradient.",
  });
}

const short = (x: number) => `${Number(x.toPrecision(3))}`;
