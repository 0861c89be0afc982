/** Finding a secret by questions: beliefs, guessing policies, rollout and the optimum. Wordle is one such game. */
export { type Belief, GuessingGame, type GuessingOptions } from "./game.ts";
export { type Guesser, type Heuristic, rollout, splitting, totalGuesses } from "./policies.ts";
export { fewestGuesses } from "./solve.ts";
export { inventWords, marks, wordle } from "./wordle.ts";
