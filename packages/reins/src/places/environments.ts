/** Environments by name. Loaded on demand: programs with their own environments do not need them. */
export { ids } from "@reins/envs";
export { loadedSource } from "./source-of.ts";
