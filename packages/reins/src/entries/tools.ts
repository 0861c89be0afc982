/** `reins/tools`: tools around a run: CSV and other sinks, remote control, transcripts, images of episodes and curves, agent export. */
export { controlRun, type RunControl } from "../control-run.ts";
export { curves } from "../curves.ts";
export type { Exportable } from "../export/content.ts";
export { exportModule } from "../export/export-module.ts";
export { exportOnnx } from "../export/export-onnx.ts";
export { exportSafetensors } from "../export/export-safetensors.ts";
export type { ModuleText } from "../export/module/write-module.ts";
export type { ExportOptions } from "../export/trace.ts";
export { type ImageOptions, renderEpisode } from "../pictures/picture.ts";
export type { Sink } from "../training/sink.ts";
export { csv, wandb } from "../training/sinks.ts";
export type { Transcript } from "../training/transcripts.ts";
