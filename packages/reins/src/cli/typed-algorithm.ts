import { algorithms } from "@reins/algorithms";
import type { AlgorithmMaker } from "@reins/core";
import { algorithmFromModule } from "../places/module.ts";
import { isModulePath } from "../places/module-path.ts";
import { noteTrust } from "../places/trust.ts";
import type { Flags } from "./flags.ts";
import { matchCase } from "./spelling.ts";

/** The algorithm in the arguments. Its options are flags, so it must be known before they are parsed. */
export function typedAlgorithm(args: readonly string[], taken: Flags): AlgorithmMaker | undefined {
  for (let i = 0; i < args.length; i++) {
    // The argument after a flag is its value, even if it is the name of an algorithm.
    if (taken[args[i].slice(2)]?.value && args[i].startsWith("--")) i++;
    else if (Object.hasOwn(algorithms, args[i])) return algorithms[args[i]];
  }
  return undefined;
}

/** Whether an argument is a positional word, not the value of a flag. */
const isWord = (args: readonly string[], i: number, taken: Flags): boolean =>
  !args[i].startsWith("-") && !(i && taken[args[i - 1].slice(2)]?.value);

/** The arguments with the algorithm's name corrected for case. */
export function withAlgorithmName(args: readonly string[], taken: Flags): readonly string[] {
  if (typedAlgorithm(args, taken)) return args;
  const names = Object.keys(algorithms);
  const at = args.findIndex((a, i) => isWord(args, i, taken) && names.includes(matchCase(a, names)));
  return args.map((a, i) => (i === at ? matchCase(a, names) : a));
}

/** The arguments with an algorithm file replaced by the algorithm's name; it is the first word if no algorithm is named. */
export async function withAlgorithmFile(typed: readonly string[], taken: Flags): Promise<readonly string[]> {
  const args = withAlgorithmName(typed, taken);
  if (typedAlgorithm(args, taken)) return args;
  const at = args.findIndex((_, i) => isWord(args, i, taken));
  if (at < 0 || !isModulePath(args[at])) return args;
  noteTrust(args[at]);
  const { definition } = await algorithmFromModule(args[at]);
  return args.map((a, i) => (i === at ? definition.name : a));
}
