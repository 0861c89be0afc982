/** `@reins/language`: what makes a language model a policy and a problem in words a task. */
export { arithmetic } from "./tasks/arithmetic.ts";
export { draw, type Split, splitOf } from "./tasks/draw.ts";
export { type Family, family, type Problem, type Verdict } from "./tasks/family.ts";
