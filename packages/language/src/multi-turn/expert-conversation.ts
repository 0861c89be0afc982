import { stream } from "@reins/core/random";
import type { TextStageOptions } from "../rollouts/stage-options.ts";
import { episodeOf } from "../tasks/episode.ts";
import type { Problem } from "../tasks/text-task.ts";
import { converse } from "./converse.ts";
import { playerOf } from "./players.ts";
import { type Conversation, own } from "./speaker.ts";
import { scriptedSpeaker } from "./speakers.ts";

/**
 * A conversation led by the task's expert or another scripted player, which also plays other roles without a player
 * of their own.
 */
export function expertConversation(
  options: TextStageOptions,
  problem: Problem,
  seed: number,
  skill = options.player ?? "expert",
): Promise<Conversation> {
  const { roles } = episodeOf(options.task);
  const player = playerOf(options.task, skill);
  const speakers = [own, ...Object.keys(roles)].map((name, i) => {
    const by = roles[name]?.by;
    const speaks = typeof by === "function" ? by : player;
    return [name, scriptedSpeaker(options, problem, speaks, { seed: i ? stream(seed, "role", i) : seed })];
  });
  return converse(problem, Object.fromEntries(speakers), { ...options, seed: stream(seed, "world") });
}
