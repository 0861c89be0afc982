import type { TextStageOptions } from "../rollouts/stage-options.ts";
import { AgentHarness } from "./agent-harness.ts";
import { ConversationHarness } from "./conversation-harness.ts";
import type { Harness, ServedWeights } from "./harness.ts";

/** The harness for a stage's family: an external agent, or conversations run by this package. */
export const harnessFor = (options: TextStageOptions, served: ServedWeights): Harness =>
  options.family.agent ? new AgentHarness(options, served) : new ConversationHarness(options, served);
