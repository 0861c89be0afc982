import type { TextStageOptions } from "../rollouts/stage-options.ts";
import { episodeOf } from "../tasks/episode.ts";
import { AgentHarness } from "./agent-harness.ts";
import { ConversationHarness } from "./conversation-harness.ts";
import type { Harness, ServedWeights } from "./harness.ts";

/** The harness for a stage's task: an external agent, or conversations run by this package. */
export function harnessFor(options: TextStageOptions, served: ServedWeights): Harness {
  const { agent } = episodeOf(options.task);
  return agent ? new AgentHarness(options, served, agent) : new ConversationHarness(options, served);
}
