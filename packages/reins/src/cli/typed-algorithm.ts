import { algorithms } from "@reins/algorithms";
import type { AlgorithmMaker } from "@reins/core";
import { algorithmFromModule } from "../places/module.ts";
import { isModulePath } from "../places/module-path.ts";
import { noteTrust } from "../places/trust.ts";
import type { Flags } from "./flags.ts";
import { spelled } from "./spelled.ts";

/** The algorithm among what was typed: its options are flags, so it must be known before they are read. */
export function typedAlgorithm(args: readonly string[], taken: Flags): AlgorithmMaker | undefined {
  for (let i = 0; i < args.length; i++) {
    // What follows a flag is its value, even if an algorithm has that name.
    if (taken[args[i].slice(2)]?.value && args[i].startsWith("--")) i++;
    else if (Object.hasOwn(algorithms, args[i])) return algorithms[args[i]];
  }
  return undefined;
}

/** Where words are among what was typed that are no values of flags. */
const isWord = (args: readonly string[], i: number, taken: Flags): boolean =>
  !args[i].startsWith("-") && !(i && taken[args[i - 1].slice(2)]?.value);

/** What was typed, with the algorithm's name as it is written where only capitals differ. */
export function withAlgorithmSpelled(args: readonly string[], taken: Flags): readonly string[] {
  if (typedAlgorithm(args, taken)) return args;
  const names = Object.keys(algorithms);
  const at = args.findIndex((a, i) => isWord(args, i, taken) && names.includes(spelled(a, names)));
  return args.map((a, i) => (i === at ? spelled(a, names) : a));
}

/** What was typed, with the name of the algorithm in place of its file: the first word is a file where no algorithm is named. */
export async function withAlgorithmFile(typed: readonly string[], taken: Flags): Promise<readonly string[]> {
  const args = withAlgorithmSpelled(typed, taken);
  if (typedAlgorithm(args, taken)) return args;
  const at = args.findIndex((_, i) => isWord(args, i, taken));
  if (at < 0 || !isModulePath(args[at])) return args;
  noteTrust(args[at]);
  const { definition } = await algorithmFromModule(args[at]);
  return args.map((a, i) => (i === at ? definition.name : a));
}
