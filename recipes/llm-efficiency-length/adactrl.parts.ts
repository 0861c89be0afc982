import { type Answer, type LengthReward, solveRate } from "../shared/length-rewards.ts";

/** Problems with a higher solve rate are easy. */
const threshold = 0.625;
/** Weight of the rewards for calibration and for length. */
const weight = 0.5;

/** Settings of {@link adaCtrl}. */
export interface AdaCtrlOptions {
  /** Whether the answer declares its problem easy. */
  readonly isEasy: (a: Answer) => boolean;
  /** Whether the declared difficulty is compared with the solve rate. */
  readonly calibrated: boolean;
}

/**
 * 1 for a correct answer and −1 for a wrong one; half a point for a declared difficulty that agrees with the solve rate; and up to half a point
 * for a correct answer that is declared easy, less the nearer its length is to the longest one of the group. Groups with equal outcomes have
 * equal rewards.
 */
export const adaCtrl =
  ({ isEasy, calibrated }: AdaCtrlOptions) =>
  (): LengthReward =>
  (groups) =>
    groups.map((group) => {
      const rate = solveRate(group);
      if (rate === 0 || rate === 1) return group.map(() => 0);
      const longest = Math.max(...group.map((a) => a.length));
      return group.map((a) => {
        const agrees = Number(calibrated && isEasy(a) === rate > threshold);
        const brief = a.right && isEasy(a) ? (1 + Math.cos((Math.PI * a.length) / longest)) / 2 : 0;
        return (a.right ? 1 : -1) + weight * (agrees + brief);
      });
    });
