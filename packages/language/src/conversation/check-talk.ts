import { fail } from "@reins/core";
import type { TextStageOptions } from "../stage-options.ts";
import { own } from "./cast.ts";

const players = ["policy", "own", "start"];

/** Stops with the reason if a family cannot be talked about as it says. */
export function checkTalk({ family, forks, rows }: TextStageOptions): void {
  const refuse = (why: string) => fail(`task ${family.id}`, why);
  const { roles = {}, belief, gate, turn, turns = 1 } = family;
  const isCount = (n: number) => Number.isInteger(n) && n >= 1;
  if (!isCount(turns)) refuse(`it has ${turns} turns at most; that must be a whole number from 1.`);
  const names = Object.keys(roles);
  if (names.length > 0 && !turn)
    refuse(
      `there are roles (${names.join(", ")}), and no turn(state, message) that says whose turn is next.`,
    );
  for (const name of names) {
    const role = roles[name];
    if (name === own) refuse(`no role can be called ${own}: that is the model itself.`);
    if (typeof role?.opening !== "function")
      refuse(`the role ${name} has no opening(problem, state), which gives what it sees first.`);
    const { by = "policy", compared = "role" } = role;
    if (typeof by !== "function" && !players.includes(by))
      refuse(
        `the role ${name} is played by ${JSON.stringify(by)}; it must be ${players.map((p) => JSON.stringify(p)).join(", ")} or a function.`,
      );
    if (compared !== "role" && compared !== "seen")
      refuse(`the role ${name} is compared by ${JSON.stringify(compared)}; it must be "role" or "seen".`);
  }
  const speaking = 1 + names.filter((name) => typeof roles[name].by !== "function").length;
  if (rows !== undefined && rows < speaking)
    refuse(`${speaking} roles speak, and ${rows} texts are written at a time. Take more rows.`);
  if (belief && !(typeof belief.truth === "function" && Number.isFinite(belief.weight)))
    refuse("belief must have a function, truth(problem, state), and a weight that is a number.");
  if (gate !== undefined && !Number.isFinite(gate)) refuse(`the gate is ${gate}; it must be a number.`);
  if (forks && !(isCount(forks.turn) && isCount(forks.into)))
    refuse(`forks are after turn ${forks.turn} into ${forks.into}; both must be whole numbers from 1.`);
}
