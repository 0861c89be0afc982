/** `@reins/core/directory`: the directory that holds a run, on a disk. The only part of `@reins/core` that needs Node. */
export type { CheckpointHead } from "./checkpoint.ts";
export type { Checkpoint } from "./checkpoints.ts";
export { codeIn, holdsRun, type RunConfig, type RunSettings, type Wishes } from "./config.ts";
export { type DirectoryOptions, type Keepable, type KeptAgent, RunDirectory } from "./directory.ts";
export { type DiskReplayOptions, diskReplay } from "./disk-replay.ts";
export { type RecordedEpisode, readEpisode } from "./episodes.ts";
export { EventWriter } from "./events.ts";
export { reasonOf } from "./failures.ts";
export { disk, type Files } from "./files.ts";
export { type LastRowOptions, lastRow } from "./last-row.ts";
export { parseRow, type Row } from "./lines.ts";
export { type Event, eventFiles, readEvents } from "./read-events.ts";
export { type Reader, trusting } from "./reader.ts";
export type { RecordOptions } from "./recorder.ts";
export type { RemoteAnswer, RemoteCommand, RunState } from "./remote.ts";
export { listRuns, type RunEntry, type RunRecord, readRun, secondsOf } from "./runs.ts";
export { LogSchedule } from "./schedule.ts";
export type { RunStatus, RunSummary } from "./summary.ts";
