import type { Answer, LengthReward } from "../shared/length-rewards.ts";

/** A reward for each combination of mode and outcome. */
interface Rewards {
  readonly right: number;
  readonly wrong: number;
}

/** Naive rewards: answering correctly without thinking is worth twice as much, and a wrong answer without thinking costs. */
const naive = { thinking: { right: 1, wrong: 0 }, direct: { right: 2, wrong: -1 } };
/** Rewards of a mode that makes up the whole batch. */
const frequent = { thinking: { right: 0, wrong: -1 }, direct: { right: 1, wrong: -2 } };

type Mode = keyof typeof naive;
const modeOf = (a: Answer, isDirect: (a: Answer) => boolean): Mode => (isDirect(a) ? "direct" : "thinking");
const of = ({ right, wrong }: Rewards, a: Answer) => (a.right ? right : wrong);

/** Stage 1: rewards of a mode whose share exceeds one half move towards those of a mode that is too frequent. */
export function balanced(
  group: readonly Answer[],
  isDirect: (a: Answer) => boolean,
  share: number,
): number[] {
  return group.map((a) => {
    const mode = modeOf(a, isDirect);
    const excess = Math.max(0, (mode === "direct" ? share : 1 - share) - 0.5);
    const factor = Math.min(1, 2 * excess);
    return (1 - factor) * of(naive[mode], a) + factor * of(frequent[mode], a);
  });
}

/** Stage 3: correct answers gain exp(−α z) − 1, wrong ones 1 − exp(−α z); z is the standardised length among the correct or wrong answers of the group. */
export function pruned(group: readonly Answer[], isDirect: (a: Answer) => boolean, alpha = 0.05): number[] {
  const standardised = (right: boolean) => {
    const lengths = group.filter((a) => a.right === right).map((a) => a.length);
    const mean = lengths.reduce((a, b) => a + b, 0) / lengths.length;
    const squares = lengths.reduce((sum, l) => sum + (l - mean) ** 2, 0);
    const deviation = Math.max(1e-6, Math.sqrt(squares / (lengths.length - 1)));
    return (a: Answer) => (lengths.length > 1 ? (a.length - mean) / deviation : 0);
  };
  const scores = { right: standardised(true), wrong: standardised(false) };
  return group.map((a) => {
    const change = Math.exp(-alpha * (a.right ? scores.right(a) : scores.wrong(a))) - 1;
    return of(naive[modeOf(a, isDirect)], a) + (a.right ? change : -change);
  });
}

/** Settings of {@link autoThink}. */
export interface AutoThinkOptions {
  readonly isDirect: (a: Answer) => boolean;
  /** Generated tokens of a run, of which each stage has a third. */
  readonly tokens: number;
  /** Whether the first stage balances the modes. */
  readonly balances: boolean;
}

/** The rewards of AutoThink's three stages: balanced modes, naive rewards, shorter answers. */
export const autoThink =
  ({ isDirect, tokens, balances }: AutoThinkOptions) =>
  (): LengthReward => {
    let used = 0;
    return (groups) => {
      const all = groups.flat();
      const share = all.filter(isDirect).length / all.length;
      const stage = Math.min(2, Math.floor((3 * used) / tokens));
      used += all.reduce((sum, a) => sum + a.length, 0);
      return groups.map((group) => {
        if (stage === 0 && balances) return balanced(group, isDirect, share);
        return stage === 2 ? pruned(group, isDirect) : group.map((a) => of(naive[modeOf(a, isDirect)], a));
      });
    };
  };
