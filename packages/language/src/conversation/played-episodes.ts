import type { Episode } from "@reins/core";
import { formOf } from "../play/prompt.ts";
import type { TextStageOptions } from "../stage-options.ts";
import { own, type Played, type View } from "./cast.ts";
import { weightsIn } from "./cast-policy.ts";
import { type ConversationEpisode, conversationEpisode } from "./conversation-episode.ts";

/** A conversation as each saw it who learns from it. */
export const viewsOf = (played: Played): readonly View[] => [played, ...(played.others ?? [])];

/** An episode for each view of a conversation. Views of one role are compared with each other. */
export function episodesOf(
  options: TextStageOptions,
  played: Played,
  notes: Pick<Episode, "group" | "context" | "role">,
): readonly ConversationEpisode[] {
  const { family } = options;
  const names = weightsIn(family);
  const learning = viewsOf(played).filter(({ scenes }) => scenes.some((s) => s.passages.length > 0));
  return learning.map(({ scenes, conversed }) => {
    const { role, problem } = conversed;
    const named = (name: string) => (role === undefined ? name : `${name} ${role}`);
    return conversationEpisode(
      scenes,
      {
        ...notes,
        task: named(`${family.id} ${problem.level}`),
        ...(notes.group === undefined ? {} : { group: named(notes.group) }),
        truncated: played.truncated,
        answered: conversed,
        ...(names.length > 1 ? { speaker: Math.max(0, names.indexOf(role ?? own)) } : {}),
      },
      formOf(options),
    );
  });
}
