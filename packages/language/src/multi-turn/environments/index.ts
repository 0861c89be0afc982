/** Multi-turn environments: tasks of problems with conversations. */
export { adventure } from "./adventure.ts";
export { apiWorld } from "./api-world.ts";
export { bookingDesk } from "./booking-desk.ts";
export { codeRepair } from "./code-repair.ts";
export { factsStream } from "./facts-stream.ts";
export { hops, hopsWith } from "./hops.ts";
export { hostNetwork } from "./host-network.ts";
export { moodyUser } from "./moody-user.ts";
export { negotiation } from "./negotiation.ts";
export { shop } from "./shop.ts";
export { siteForms } from "./site-forms.ts";
export { sokobanGame } from "./sokoban-game.ts";
export { textMaze } from "./text-maze.ts";
export { twentyQuestions } from "./twenty-questions.ts";
export { werewolf } from "./werewolf.ts";
export { wordleGame } from "./wordle-game.ts";
