import { fail } from "@reins/core";
import { episodeOf } from "../tasks/episode.ts";
import type { ScriptedPlayer, TextTask } from "../tasks/text-task.ts";

/** A language task's scripted player by its skill. A language task with answers but no players has an expert that answers at once. */
export function playerOf(task: TextTask, skill: string): ScriptedPlayer {
  const { players, turn } = episodeOf(task);
  const found = players[skill];
  if (found) return found as ScriptedPlayer;
  if (skill === "expert" && !turn) return (problem) => problem.answer;
  const names = Object.keys(players).join(", ") || "none";
  return fail(
    `task ${task.id}`,
    `it has no player ${skill} (available: ${names}). Add one for imitation: episode: { players: { expert: (problem, talk) => … } }.`,
  );
}
