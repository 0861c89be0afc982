export { byPriority, type PriorityOptions } from "./by-priority.ts";
export { type Choose, type Chooser, uniformly } from "./choose.ts";
export { type NStepOptions, nStep, type TransitionColumns } from "./n-step.ts";
export type { Record as ReplayRecord, Recording, Slots, StepColumns } from "./record.ts";
export { type Memory, type MemoryMaker, type ReplayOptions, replay } from "./replay.ts";
export { SumTree } from "./sum-tree.ts";
