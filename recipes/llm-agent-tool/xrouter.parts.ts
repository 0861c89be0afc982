import type { ToolOutcome } from "../shared/tool-rewards.ts";

/** Cost of a call, and the most that calls can cost. */
const [price, most] = [0.1, 0.8];

/** A correct answer minus the costs of its calls; a wrong one is worth 0, whatever it cost. */
export const successGated = ({ right, made }: ToolOutcome): number =>
  right ? 1 - Math.min(price * made.length, most) : 0;

/** The same costs for wrong answers too. */
export const charged = ({ right, made }: ToolOutcome): number =>
  Number(right) - Math.min(price * made.length, most);
