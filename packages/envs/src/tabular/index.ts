/** Tabular MDPs and their exact solutions. */
export { type TabularEnvOptions, tabularEnv } from "./env.ts";
export { evaluatePolicy, type TabularPolicy } from "./evaluate.ts";
export { type FiniteOptions, finiteValues } from "./finite.ts";
export {
  innerProduct,
  type LinearSarsa,
  linearSarsa,
  sarsaFixedPoint,
  softmaxPolicy,
} from "./linear-sarsa.ts";
export { checkMdp, type TabularMdp, type TransitionOutcome, tabularMdp } from "./mdp.ts";
export { tabularModel } from "./models.ts";
export { mixMdps, type RandomMdpOptions, randomMdp } from "./random.ts";
export { sampleOutcome } from "./sample.ts";
export {
  backwardInduction,
  type FiniteSolution,
  policyIteration,
  type SolveOptions,
  valueIteration,
} from "./solve.ts";
export { actionValue, bestAction, greedy, type Solution, startValue } from "./values.ts";
