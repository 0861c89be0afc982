/** `reins/core/evaluations`: evaluation of agents, and the statistics of its results. */
export * from "@reins/core/evaluations";
