/** `reins/envs`: environments by name, wrappers, exact tabular models, the checker. */
export * from "@reins/envs";
