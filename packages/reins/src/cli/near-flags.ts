import type { AlgorithmMaker } from "@reins/core";
import { envOptions, ids } from "@reins/envs";
import { kebab } from "./flags.ts";
import { textFlags } from "./text-flags.ts";

/** Flags of the given environment, to suggest where `--env-` was left out. */
export function nearFlags(args: readonly string[], { definition }: AlgorithmMaker): string[] {
  const id = args.find((word) => ids().includes(word));
  if (id !== undefined) return Object.keys(envOptions(id) ?? {}).map((name) => `--env-${kebab(name)}`);
  return (definition.learnsFrom ?? "steps") === "steps"
    ? []
    : Object.keys(textFlags).map((name) => `--${name}`);
}
