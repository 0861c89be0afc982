import type { ScriptedPlayer } from "../tasks/family.ts";

/** A player that errs: in this share of its turns it plays as the worse player does. */
export const novice =
  <T, S>(good: ScriptedPlayer<T, S>, bad: ScriptedPlayer<T, S>, share = 0.25): ScriptedPlayer<T, S> =>
  (problem, talk, random) =>
    (random.chance(share) ? bad : good)(problem, talk, random);
