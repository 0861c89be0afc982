export type { WarmStart } from "./book/warm.ts";
export { type Claim, effectOf, slope } from "./claim.ts";
export { bcaInterval, type Interval, tInterval } from "./interval.ts";
export { type LearnOptions, learn } from "./learn.ts";
export { Diverged, type Metric, type Outcome } from "./outcome.ts";
export {
  type Choice,
  type Entry,
  type Grid,
  type Mapped,
  mapped,
  type Recipe,
  recipe,
  type Settings,
  type Side,
  sidesOf,
  type Trial,
} from "./recipe.ts";
export { type ClaimVerdict, decided, type Judgement, judge, verdictOf } from "./verdict.ts";
