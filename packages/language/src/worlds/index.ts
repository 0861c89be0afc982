/** Worlds with turns: families of problems that are talked about. */
export { wordleGame } from "./wordle-game.ts";
