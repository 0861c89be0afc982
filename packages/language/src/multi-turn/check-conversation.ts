import { fail } from "@reins/core";
import type { TextStageOptions } from "../rollouts/stage-options.ts";
import { episodeOf } from "../tasks/episode.ts";
import { own } from "./speaker.ts";

const players = ["policy", "own", "start"];

/** Throws if the options of a multi-turn task are inconsistent. */
export function checkConversation({ task, forks, rows }: TextStageOptions): void {
  const refuse = (why: string) => fail(`task ${task.id}`, why);
  const { roles, belief, gate, turn, turns } = episodeOf(task);
  const isCount = (n: number) => Number.isInteger(n) && n >= 1;
  if (!isCount(turns)) refuse(`turns is ${turns}; it must be an integer of at least 1.`);
  const names = Object.keys(roles);
  if (names.length > 0 && !turn)
    refuse(
      `it has roles (${names.join(", ")}) but no turn(state, message). Add one that returns the next role in \`to\`.`,
    );
  for (const name of names) {
    const role = roles[name];
    if (name === own) refuse(`a role cannot be called ${own}, which is the model itself. Rename it.`);
    if (typeof role?.opening !== "function")
      refuse(`the role ${name} has no opening(problem, state). Add one that returns its first messages.`);
    const { by = "policy", compared = "role" } = role;
    if (typeof by !== "function" && !players.includes(by))
      refuse(
        `the role ${name} has by: ${JSON.stringify(by)}. Use ${players.map((p) => JSON.stringify(p)).join(", ")} or a function.`,
      );
    if (compared !== "role" && compared !== "seen")
      refuse(`the role ${name} has compared: ${JSON.stringify(compared)}. Use "role" or "seen".`);
  }
  const speaking = 1 + names.filter((name) => typeof roles[name].by !== "function").length;
  if (rows !== undefined && rows < speaking)
    refuse(`${speaking} roles generate text, but rows is ${rows}. Set rows to at least ${speaking}.`);
  if (belief && !(typeof belief.truth === "function" && Number.isFinite(belief.weight)))
    refuse("belief needs a function truth(problem, state) and a finite weight.");
  if (gate !== undefined && !Number.isFinite(gate)) refuse(`gate is ${gate}; it must be a finite number.`);
  if (forks && !(isCount(forks.turn) && isCount(forks.into)))
    refuse(`forks is { turn: ${forks.turn}, into: ${forks.into} }; both must be integers of at least 1.`);
}
