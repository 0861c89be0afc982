import type { AgentRun, MultiTurn, TextTask } from "./text-task.ts";

/** Default maximum number of turns. */
const defaultTurns = 8;

type Defaults = "turns" | "tools" | "roles" | "players";

/** The episode of a task, with its defaults. */
export type ResolvedEpisode = Omit<MultiTurn<unknown, never>, Defaults> &
  Required<Pick<MultiTurn<unknown, never>, Defaults>> &
  Partial<Pick<AgentRun, "agent">>;

/** Resolves the defaults of a task's episode: the maximum number of turns, no tools, roles or players. */
export function episodeOf({ episode = {} }: Pick<TextTask, "episode">): ResolvedEpisode {
  const given: MultiTurn<unknown, never> & Partial<Pick<AgentRun, "agent">> = episode;
  const { turns = defaultTurns, tools = [], roles = {}, players = {} } = given;
  return { ...given, turns, tools, roles, players };
}

/** Whether a rollout of the task has several turns: conversations and external agents. */
export function isMultiTurn(task: Pick<TextTask, "episode">): boolean {
  const { turn, agent, tools } = episodeOf(task);
  return turn !== undefined || agent !== undefined || tools.length > 0;
}
