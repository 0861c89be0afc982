import { existsSync, statSync } from "node:fs";
import type { Agent } from "../agents/agent.ts";
import { loadAgent } from "../agents/load-agent.ts";
import { load } from "../load.ts";
import { type EnvSource, steppable } from "../places/source.ts";
import { codeFlags, givenCode } from "./code-flags.ts";
import { findRun } from "./find-run.ts";
import { text, toggle } from "./flags.ts";
import { envNamed } from "./names.ts";
import { misuse } from "./usage.ts";

/** Where an agent plays. */
export const agentFlags = {
  env: text(
    "ENV",
    "another environment than that of the training, of the same shape: its name, or a file of yours",
  ),
  best: toggle("the best agent of the evaluations on the way, instead of the last"),
  trust: codeFlags.trust,
};

/** The agent that was named, by a run or by its file, and the environment that was named for it. */
export async function openAgent(
  name: string | undefined,
  { env: named, trust, best }: { readonly env?: string; readonly trust?: boolean; readonly best?: boolean },
): Promise<{ agent: Agent; env: EnvSource | undefined; path: string }> {
  const source = named === undefined ? undefined : await envNamed(named);
  // A task in words is where its run was trained: it says how to make it again.
  const inWords = source !== undefined && !source.make;
  const env = source === undefined || inWords ? undefined : steppable(source);
  if (name !== undefined && isFile(name)) return { agent: await loadAgent(name), env, path: name };
  if (name !== undefined && /\.(agent|safetensors)$/.test(name) && !existsSync(name))
    misuse(
      `there is no file ${name}. Name the file that agent.save() wrote, or a run: reins runs lists them.`,
    );
  const path = findRun(name);
  const code = givenCode(path, { trust, ...(inWords ? { env: named } : {}) });
  return { agent: await load(path, { ...code, best }), env, path };
}

const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
