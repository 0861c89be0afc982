import type { ScriptedPlayer } from "../tasks/family.ts";
import { type Tool, tool } from "../tools/tool.ts";

/** A tool that takes one text, which needs no quotes: `find(cup)`. */
export const wordTool = <S>(
  name: string,
  about: string,
  argument: string,
  run: (word: string, state: S) => string,
): Tool<never, S> =>
  tool<Readonly<Record<string, string>>, S>({
    name,
    about,
    parameters: { type: "object", properties: { [argument]: { type: "string" } }, required: [argument] },
    run: (args, { state }) => run(args[argument], state),
  });

/** A player that does what one player does and, in some share of its turns, what another does: for records of somebody who errs. */
export const withSlips =
  <T, S>(player: ScriptedPlayer<T, S>, slip: ScriptedPlayer<T, S>, share = 0.2): ScriptedPlayer<T, S> =>
  (problem, talk, random) =>
    (random.random() < share ? slip : player)(problem, talk, random);
