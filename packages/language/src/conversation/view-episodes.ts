import { type Episode, stream } from "@reins/core";
import { formOf } from "../rollouts/prompt.ts";
import type { TextStageOptions } from "../stage-options.ts";
import { type Scene, segmentTokens } from "./context.ts";
import { type ConversationEpisode, conversationEpisode } from "./conversation-episode.ts";
import { weightsIn } from "./roles-policy.ts";
import { own, type Played, type View } from "./speaker.ts";

/** The views of all learning roles. */
export const viewsOf = (played: Played): readonly View[] => [played, ...(played.others ?? [])];

/** Segments without trailing messages that exceed the context: no turn follows them. */
function withinContext(scenes: readonly Scene[], context: number): readonly Scene[] {
  return scenes.map((scene, i) => {
    const { passages } = scene;
    if (segmentTokens(scenes, i).length <= context || scenes.some((s) => s.parent?.scene === i)) return scene;
    const last = passages.map((p) => p.turn !== undefined).lastIndexOf(true);
    return last < 0 ? scene : { ...scene, passages: passages.slice(0, last + 1) };
  });
}

/** A hash of the tokens that a role had seen before its first turn. */
function firstContext([{ passages }]: readonly Scene[]): number {
  const before = passages.slice(
    0,
    passages.findIndex((p) => p.turn !== undefined),
  );
  return before.flatMap((p) => [...p.tokens]).reduce((seen, token) => stream(seen, "seen", token), 0);
}

/**
 * One episode for each view of a conversation. Views of one role form a group; with `compared: "seen"`, only those
 * with the same context before their first turn.
 */
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
    const alike = role !== undefined && family.roles?.[role].compared === "seen";
    const grouped = (name: string) => (alike ? `${named(name)} ${firstContext(scenes)}` : named(name));
    return conversationEpisode(
      withinContext(scenes, options.start.options.context),
      {
        ...notes,
        task: named(`${family.id} ${problem.level}`),
        ...(notes.group === undefined ? {} : { group: grouped(notes.group) }),
        truncated: played.truncated,
        answered: conversed,
        ...(names.length > 1 ? { speaker: Math.max(0, names.indexOf(role ?? own)) } : {}),
      },
      formOf(options),
    );
  });
}
