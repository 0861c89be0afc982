/** `reins/core/replay`: replay buffers and datasets: uniform, prioritised, n-step, hindsight, mixtures. */
export * from "@reins/core/replay";
