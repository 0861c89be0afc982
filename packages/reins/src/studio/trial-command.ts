import { trainCommand } from "../tuning/train-command.ts";

type Data = Readonly<Record<string, unknown>>;

/** The command that trains with the settings of a trial. Undefined if the journal, which may hold anything, lacks data. */
export function trialCommand(setup: Data, settings: Data): string | undefined {
  const { algorithm, env, steps, judge, wrappers, defaults } = setup;
  if (typeof algorithm !== "string" || typeof env !== "string" || typeof steps !== "number") return undefined;
  try {
    return trainCommand(
      {
        ...{ algorithm, env, steps, typed: dataIn(setup.typed), envOptions: dataIn(setup.envOptions) },
        ...(typeof judge === "string" ? { judge } : {}),
        ...(Array.isArray(wrappers) ? { wrappers: wrappers.map(String) } : {}),
        ...(defaults === true ? { defaults } : {}),
      },
      settings,
    );
  } catch {
    return undefined;
  }
}

const dataIn = (x: unknown): Data =>
  typeof x === "object" && x !== null && !Array.isArray(x) ? (x as Data) : {};
