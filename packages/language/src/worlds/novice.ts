import type { ScriptedPlayer } from "../tasks/family.ts";

/** A player that errs: in this share of its turns it plays as the worse player does. */
export const novice =
  <T, S>(good: ScriptedPlayer<T, S>, bad: ScriptedPlayer<T, S>, share = 0.25): ScriptedPlayer<T, S> =>
  (problem, talk, random) =>
    (random.chance(share) ? bad : good)(problem, talk, random);

/**
 * A player that mostly says one thing from the beginning to the end, and in the other conversations plays as the good player does in all of
 * its turns. The good player must never begin with that text.
 */
export const seldom =
  <T, S>(good: ScriptedPlayer<T, S>, text: string, share: number): ScriptedPlayer<T, S> =>
  (problem, talk, random) => {
    const first = talk.messages.find(({ role }) => role === "assistant");
    const bad = first ? first.content === text : random.chance(share);
    return bad ? text : good(problem, talk, random);
  };
