import { fail } from "@reins/core";
import type { ScriptedPlayer, TextTask } from "../tasks/text-task.ts";

/** A family's scripted player by its skill. A family with answers but no players has an expert that answers at once. */
export function playerOf(family: TextTask, skill: string): ScriptedPlayer {
  const found = family.players?.[skill];
  if (found) return found as ScriptedPlayer;
  if (skill === "expert" && !family.turn) return (problem) => problem.answer;
  const names = Object.keys(family.players ?? {}).join(", ") || "none";
  return fail(
    `task ${family.id}`,
    `it has no player ${skill} (available: ${names}). Add one for imitation: players: { expert: (problem, talk) => … }.`,
  );
}
