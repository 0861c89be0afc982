/** Worlds with turns: families of problems that are talked about. */
export { apiWorld } from "./api-world.ts";
export { bookingDesk } from "./booking-desk.ts";
export { moodyUser } from "./moody-user.ts";
export { shop } from "./shop.ts";
export { siteForms } from "./site-forms.ts";
export { wordleGame } from "./wordle-game.ts";
