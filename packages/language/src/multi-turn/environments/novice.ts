import type { ScriptedPlayer } from "../../tasks/text-task.ts";

/** A player with errors: in this fraction of its turns it plays as the worse player. */
export const novice =
  <T, S>(good: ScriptedPlayer<T, S>, bad: ScriptedPlayer<T, S>, share = 0.25): ScriptedPlayer<T, S> =>
  (problem, conversation, random) =>
    (random.chance(share) ? bad : good)(problem, conversation, random);

/**
 * A player that usually repeats one text for a whole conversation, and in the other conversations plays every turn as
 * the good player. The good player must never begin with that text.
 */
export const seldom =
  <T, S>(good: ScriptedPlayer<T, S>, text: string, share: number): ScriptedPlayer<T, S> =>
  (problem, conversation, random) => {
    const first = conversation.messages.find(({ role }) => role === "assistant");
    const bad = first ? first.content === text : random.chance(share);
    return bad ? text : good(problem, conversation, random);
  };
