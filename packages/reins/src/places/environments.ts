/** Environments by their names. Loaded when one is asked for by its name: programs that bring their own need none of them. */
export { ids } from "@reins/envs";
export { loadedSource } from "./source-of.ts";
