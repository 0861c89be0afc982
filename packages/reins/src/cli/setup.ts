import { algorithms, type Tuned, tunedFor } from "@reins/algorithms";
import { type Algorithm, type AlgorithmMaker, defaultSeed } from "@reins/core";
import { defaultSteps } from "../algorithm.ts";
import { type Source, wrapped } from "../source.ts";
import { algorithmFlags, readAny } from "./algorithm-flags.ts";
import { type Arguments, noMore, readArguments } from "./arguments.ts";
import { camel, type Flags } from "./flags.ts";
import { algorithmNamed, envNamed } from "./names.ts";
import { runFlags } from "./training-flags.ts";
import { asMisuse, misuse } from "./usage.ts";

/** What is to be trained, from what was typed. */
export interface Setup<F extends Flags> {
  readonly maker: AlgorithmMaker;
  readonly algorithm: Algorithm;
  readonly env: Source;
  /** The environment as it was typed: an id or a file. */
  readonly envName: string;
  readonly steps: number;
  readonly seed: number;
  /** The settings that were found for this pair, if there are any and they are wanted. */
  readonly tuned: Tuned | undefined;
  /** What was typed over those. */
  readonly typed: { readonly [option: string]: unknown };
  readonly flags: Arguments<F & typeof runFlags>["flags"];
}

/** The algorithm among what was typed: its options are flags, so it must be known before they are read. */
export function typedAlgorithm(args: readonly string[], taken: Flags): AlgorithmMaker | undefined {
  for (let i = 0; i < args.length; i++) {
    // What follows a flag is its value, even if an algorithm has that name.
    if (taken[args[i].slice(2)]?.value && args[i].startsWith("--")) i++;
    else if (Object.hasOwn(algorithms, args[i])) return algorithms[args[i]];
  }
  return undefined;
}

/** Flags of the algorithm that was typed, for help. */
export function settingsGroup(args: readonly string[], taken: Flags): { readonly [heading: string]: Flags } {
  const all = { ...runFlags, ...taken };
  const maker = typedAlgorithm(args, all);
  return maker ? { [`Settings of ${maker.definition.name}`]: algorithmFlags(maker, all).flags } : {};
}

/** Reads `<algorithm> <env>` with all flags that go with them. */
export async function readSetup<F extends Flags>(
  args: readonly string[],
  own: F,
  command: string,
): Promise<Setup<F>> {
  const taken = { ...runFlags, ...own };
  const maker = typedAlgorithm(args, taken) ?? missingAlgorithm(args, command);
  const settings = algorithmFlags(maker, taken);
  const { words, flags, open } = readArguments(
    args,
    { ...settings.flags, ...taken },
    { command, open: "env-" },
  );
  const { name } = maker.definition;
  const rest = words.filter((w) => w !== name);
  if (!rest.length)
    misuse(
      `on which environment? As in reins ${command} ${name} CartPole-v1. Type reins envs for all of them.`,
    );
  noMore(rest, 1, command);
  const given = flags as Record<string, unknown>;
  const typed = Object.fromEntries(
    Object.entries(settings.options)
      .filter(([flag]) => flag in given)
      .map(([flag, option]) => [option, given[flag]]),
  );
  const envOptions = Object.fromEntries(Object.entries(open).map(([k, v]) => [camel(k), readAny(v)]));
  const plain = await envNamed(rest[0], envOptions);
  const tuned = given.defaults ? undefined : (tunedFor(name, plain.spec.id) ?? plain.tuned?.(name));
  const env = asMisuse(() => wrapped(plain, (given.wrappers as string[]) ?? tuned?.wrappers ?? []));
  return {
    maker,
    algorithm: asMisuse(() => maker({ ...tuned?.options, ...typed } as never)),
    env,
    envName: rest[0],
    steps: (given.steps as number) ?? tuned?.steps ?? defaultSteps,
    seed: (given.seed as number) ?? defaultSeed,
    tuned,
    typed,
    flags: flags as Setup<F>["flags"],
  };
}

function missingAlgorithm(args: readonly string[], command: string): never {
  const word = args.find((a) => !a.startsWith("-"));
  if (word === undefined)
    return misuse(`which algorithm, on which environment? As in reins ${command} ppo CartPole-v1.`);
  return algorithmNamed(word) as never;
}
