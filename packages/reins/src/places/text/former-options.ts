import type { EnvOptions } from "../source.ts";

/** Options of language tasks before version 0.2, and their names now. */
const renamed: { readonly [before: string]: string } = {
  warmUp: "supervisedTokens",
  warmUpRate: "supervisedRate",
  warmUpBatch: "supervisedBatch",
};

/** Stored options of a language task under their current names. */
export const currentTaskOptions = (options: EnvOptions): EnvOptions =>
  Object.fromEntries(
    Object.entries(options).map(([name, value]) => [
      Object.hasOwn(renamed, name) ? renamed[name] : name,
      value,
    ]),
  );
