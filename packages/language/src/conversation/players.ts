import { fail } from "@reins/core";
import type { Family, ScriptedPlayer } from "../tasks/family.ts";

/** A family's player by its skill. Who gives none, but an answer, has an expert that says it at once. */
export function playerOf(family: Family, skill: string): ScriptedPlayer {
  const found = family.players?.[skill];
  if (found) return found as ScriptedPlayer;
  if (skill === "expert" && !family.turn) return (problem) => problem.answer;
  const names = Object.keys(family.players ?? {}).join(", ") || "none";
  return fail(
    `task ${family.id}`,
    `it has no player ${skill} (there are: ${names}). To be imitated, a task of several turns needs players: { expert: (problem, talk) => … }.`,
  );
}
