import type { Task } from "@reins/core";
import { verifier } from "@reins/language";
import { type Answer, byLength, type LengthReward } from "../shared/length-rewards.ts";
import { lengthsTask } from "../testbeds/lengths.ts";

/** Modes of reasoning, high, medium and low: what announces them in the prompt, and the weight of the reward for length. */
const modes: readonly { lead?: string; weight: number }[] = [
  { lead: "4", weight: 0 },
  { lead: "3", weight: 0.5 },
  { weight: 1 },
];
/** Share of the tokens after which rewards depend on length. */
const warmup = 95 / 135;

/** 1/2 for the shortest answer of a group, −1/2 for the longest, linear between; wrong answers gain nothing from being short. */
export function lengthTerm({ right, length }: Answer, group: readonly Answer[]): number {
  const lengths = group.map((a) => a.length);
  const [least, most] = [Math.min(...lengths), Math.max(...lengths)];
  const term = most > least ? 0.5 - (length - least) / (most - least) : 0;
  return right ? term : Math.min(0, term);
}

/** 1/2 for an answer that has no reasoning after its end of reasoning, −1/2 for one that has. */
export const leakTerm = ({ text }: Answer): number => (text.length - text.indexOf("#") > 2 ? -0.5 : 0.5);

/** Settings of {@link thinkDial}. */
export interface ThinkDialOptions {
  /** Generated tokens of a run. */
  readonly tokens: number;
  /** Whether modes have their own weights, or all that of the medium one. */
  readonly apart: boolean;
}

/** Two phases: correctness in the high mode; then the problems of a batch in all modes in turn, with rewards for length by mode and against leaks. */
export const thinkDial =
  ({ tokens, apart }: ThinkDialOptions) =>
  (given: Task): { task: Task; judge: ReturnType<typeof byLength> } => {
    let used = 0;
    const isWarm = () => used >= warmup * tokens;
    const reward: LengthReward = (groups) => {
      const warm = isWarm();
      used += groups.flat().reduce((sum, a) => sum + a.length, 0);
      return groups.map((group) =>
        group.map((a) => {
          const { weight } = modes.find((m) => apart && m.lead === a.context?.lead) ?? modes[1];
          return Number(a.right) + (warm ? weight * lengthTerm(a, group) + leakTerm(a) : 0);
        }),
      );
    };
    return {
      judge: byLength(verifier(lengthsTask), reward),
      task: {
        ...given,
        next: (statistics) =>
          given.next(statistics).map((p, i) => {
            const { lead } = modes[isWarm() ? i % modes.length : 0];
            return lead === undefined ? p : { ...p, context: { ...p.context, lead } };
          }),
      },
    };
  };
