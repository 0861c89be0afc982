import { existsSync, statSync } from "node:fs";
import type { Agent } from "../agents/agent.ts";
import { loadAgent } from "../agents/load-agent.ts";
import { load } from "../load.ts";
import { type EnvSource, steppable } from "../places/source.ts";
import { codeFlags, givenCode } from "./code-flags.ts";
import { findRun } from "./find-run.ts";
import { text, toggle } from "./flags.ts";
import { envNamed } from "./names.ts";
import { usageError } from "./usage.ts";

/** Flags that choose an agent and its environment. */
export const agentFlags = {
  env: text(
    "ENV",
    "another environment with the same spaces: its id, or your own file (default: the environment of training)",
  ),
  best: toggle("the agent with the best evaluation during training, instead of the last"),
  trust: codeFlags.trust,
};

/** Loads the agent of a run or of a file, and the environment of `--env`. */
export async function openAgent(
  name: string | undefined,
  { env: named, trust, best }: { readonly env?: string; readonly trust?: boolean; readonly best?: boolean },
): Promise<{ agent: Agent; env: EnvSource | undefined; path: string }> {
  const source = named === undefined ? undefined : await envNamed(named);
  // On a language task, the environment names the task that the run is rebuilt with.
  const isLanguage = source !== undefined && !source.make;
  const env = source === undefined || isLanguage ? undefined : steppable(source);
  if (name !== undefined && isFile(name)) return { agent: await loadAgent(name), env, path: name };
  if (name !== undefined && /\.(agent|safetensors)$/.test(name) && !existsSync(name))
    usageError(
      `the file ${name} does not exist. Give a file that agent.save() wrote, or a run: reins runs lists them.`,
    );
  const path = findRun(name);
  const code = givenCode(path, { trust, ...(isLanguage ? { env: named } : {}) });
  return { agent: await load(path, { ...code, best }), env, path };
}

const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
