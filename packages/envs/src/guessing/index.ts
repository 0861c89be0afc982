/** Finding a secret by questions: beliefs, guessing policies, rollout and the optimum. Wordle is one such game. */
export { type GuessBelief, GuessingGame, type GuessingOptions } from "./game.ts";
export { bestSplitPolicy, type GuessingPolicy, type Heuristic, rollout, totalGuesses } from "./policies.ts";
export { optimalGuesses } from "./solve.ts";
export { generateWords, wordle, wordleFeedback } from "./wordle.ts";
