import { type Tool, tool } from "../../tools/tool.ts";

/** A tool with one string argument, which needs no quotes: `find(cup)`. */
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
