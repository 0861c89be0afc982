/** `@reins/core/replay`: replay buffers and datasets: uniform, prioritised, n-step, hindsight, mixtures. */
export { dataset } from "../dataset.ts";
export * from "../replay/index.ts";
