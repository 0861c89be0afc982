import { existsSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fail, type Snapshot } from "@reins/core";
import { codeIn, RunDirectory } from "@reins/core/directory";
import { isTrusted } from "../places/trust.ts";
import type { KeptTraining } from "./agent-file.ts";
import { elsewhere } from "./of-run.ts";

/** What a run's folder has beside its agent. */
export interface Beside {
  /** What training needs, of the latest checkpoint. */
  readonly training?: KeptTraining;
  /** The file of the environment, where that is the user's own and was named before. */
  readonly env?: string;
}

/** The file of an agent: that of its last one where a run's folder is named. */
export function agentFileOf(path: string): string {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return path;
  const found = RunDirectory.open(path).agentFile("last");
  if (found === undefined && existsSync(join(path, "transcripts.jsonl")))
    fail(
      path,
      "--from does not take language runs. Write the model to a folder, with --save-model when training or with load(run) and saveModel(folder) in a program, and start from it with --env-folder FOLDER.",
    );
  return found ?? fail(path, "no agent is kept here yet. Let the run go on for a while, or resume it.");
}

/** What the folder of a run knows of its last agent, whose file leaves out what the checkpoint beside it has. */
export function besideAgent(file: string): Beside {
  const folder = dirname(file);
  if (basename(file) !== "last.agent" || !existsSync(join(folder, "config.json"))) return {};
  const directory = RunDirectory.open(folder);
  const { options, module } = directory.config;
  const env = typeof module === "string" && isTrusted(module) ? { env: module } : {};
  const found = directory.latest();
  if (!found) return env;
  const { process } = found.snapshot as { readonly process: { readonly [part: string]: Snapshot } };
  const parts = Object.entries(process).filter(([name]) => !elsewhere.has(name));
  const plain = Object.entries(options ?? {}).filter(([, value]) => codeIn(value) === undefined);
  return { ...env, training: { options: Object.fromEntries(plain), parts: Object.fromEntries(parts) } };
}
