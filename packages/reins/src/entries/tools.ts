/** `reins/tools`: what is around a run: tables and other sinks, control from outside, pictures of episodes and of curves. */
export { controlRun, type RunControl } from "../control-run.ts";
export { curves } from "../curves.ts";
export { type PictureOptions, picture } from "../pictures/picture.ts";
export type { Sink } from "../training/sink.ts";
export { csv, wandb } from "../training/sinks.ts";
