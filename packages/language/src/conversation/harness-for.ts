import { AgentHarness } from "../gateway/agent-harness.ts";
import type { TextStageOptions } from "../stage-options.ts";
import type { Harness, ServedWeights } from "./harness.ts";
import { LaneHarness } from "./lane-harness.ts";

/** The harness that suits a stage's family: an agent which exists already, or conversations that are held here. */
export const harnessFor = (options: TextStageOptions, served: ServedWeights): Harness =>
  options.family.agent ? new AgentHarness(options, served) : new LaneHarness(options, served);
