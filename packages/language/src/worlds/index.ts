/** Worlds with turns: families of problems that are talked about. */
export { apiWorld } from "./api-world.ts";
export { bookingDesk } from "./booking-desk.ts";
export { codeRepair } from "./code-repair.ts";
export { factsStream } from "./facts-stream.ts";
export { hops, hopsWith } from "./hops.ts";
export { moodyUser } from "./moody-user.ts";
export { negotiation } from "./negotiation.ts";
export { shop } from "./shop.ts";
export { siteForms } from "./site-forms.ts";
export { werewolf } from "./werewolf.ts";
export { wordleGame } from "./wordle-game.ts";
