/** Bonuses for what is new, by their names as wrappers. They bring networks and the compiler: whoever only acts loads none of this. */
export { counts, disagreement, icm, rnd } from "@reins/envs";
