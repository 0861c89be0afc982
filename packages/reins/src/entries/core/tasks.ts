/** `reins/core/tasks`: sources of problems: endless generators, curricula, allocation of samples by uncertainty. */
export * from "@reins/core/tasks";
