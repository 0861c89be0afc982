/** Exploration bonuses by their names as wrappers. They need networks and the compiler, so that acting does not load them. */
export { counts, disagreement, icm, rnd } from "@reins/envs";
