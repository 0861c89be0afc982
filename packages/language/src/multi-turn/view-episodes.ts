import type { Episode } from "@reins/core";
import { stream } from "@reins/core/random";
import { type ConversationSegment, segmentTokens } from "../chat/context.ts";
import { formOf } from "../rollouts/prompt.ts";
import type { TextStageOptions } from "../rollouts/stage-options.ts";
import { episodeOf } from "../tasks/episode.ts";
import { type ConversationEpisode, conversationEpisode } from "./conversation-episode.ts";
import { weightsIn } from "./roles-policy.ts";
import { type ConversationRollout, type ConversationView, own } from "./speaker.ts";

/** The views of all learning roles. */
export const viewsOf = (played: ConversationRollout): readonly ConversationView[] => [
  played,
  ...(played.others ?? []),
];

/** Segments without trailing messages that exceed the context: no turn follows them. */
function withinContext(
  segments: readonly ConversationSegment[],
  context: number,
): readonly ConversationSegment[] {
  return segments.map((segment, i) => {
    const { spans } = segment;
    if (segmentTokens(segments, i).length <= context || segments.some((s) => s.parent?.segment === i))
      return segment;
    const last = spans.map((p) => p.turn !== undefined).lastIndexOf(true);
    return last < 0 ? segment : { ...segment, spans: spans.slice(0, last + 1) };
  });
}

/** A hash of the tokens that a role had seen before its first turn. */
function firstContext([{ spans }]: readonly ConversationSegment[]): number {
  const before = spans.slice(
    0,
    spans.findIndex((p) => p.turn !== undefined),
  );
  return before.flatMap((p) => [...p.tokens]).reduce((seen, token) => stream(seen, "seen", token), 0);
}

/**
 * One episode for each view of a conversation. Views of one role form a group; with `compared: "seen"`, only those
 * with the same context before their first turn.
 */
export function episodesOf(
  options: TextStageOptions,
  played: ConversationRollout,
  notes: Pick<Episode, "group" | "context" | "role">,
): readonly ConversationEpisode[] {
  const { task } = options;
  const { roles } = episodeOf(task);
  const names = weightsIn(task);
  const learning = viewsOf(played).filter(({ segments }) => segments.some((s) => s.spans.length > 0));
  return learning.map(({ segments, result }) => {
    const { role, problem } = result;
    const named = (name: string) => (role === undefined ? name : `${name} ${role}`);
    const alike = role !== undefined && roles[role]?.compared === "seen";
    const grouped = (name: string) => (alike ? `${named(name)} ${firstContext(segments)}` : named(name));
    return conversationEpisode(
      withinContext(segments, options.start.options.context),
      {
        ...notes,
        task: named(`${task.id} ${problem.level}`),
        ...(notes.group === undefined ? {} : { group: grouped(notes.group) }),
        truncated: played.truncated,
        answered: result,
        ...(names.length > 1 ? { speaker: Math.max(0, names.indexOf(role ?? own)) } : {}),
      },
      formOf(options),
    );
  });
}
