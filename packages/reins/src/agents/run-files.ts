import { existsSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fail, type Snapshot } from "@reins/core";
import { codeIn, RunDirectory } from "@reins/core/directory";
import { isTrusted } from "../places/trust.ts";
import type { TrainingState } from "./agent-file.ts";
import { transientParts } from "./run-content.ts";

/** What a run directory adds to its agent file. */
export interface RunFiles {
  /** Training state from the latest checkpoint. */
  readonly training?: TrainingState;
  /** The custom environment's file, if the user has named it before. */
  readonly env?: string;
}

/** The path of an agent file; for a run directory, that of its last agent. */
export function agentFileOf(path: string): string {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return path;
  const found = RunDirectory.open(path).agentFile("last");
  if (found === undefined && existsSync(join(path, "transcripts.jsonl")))
    fail(
      path,
      "--from does not take language runs. Write the model to a folder, with --save-model when training or with load(run) and saveModel(folder) in a program, and start from it with --model FOLDER.",
    );
  return (
    found ?? fail(path, "no agent has been saved here yet. Wait for the first checkpoint, or resume the run.")
  );
}

/** Reads what the directory of a run adds to its last agent; that file leaves out what the checkpoint holds. */
export function readRunFiles(file: string): RunFiles {
  const folder = dirname(file);
  if (basename(file) !== "last.agent" || !existsSync(join(folder, "config.json"))) return {};
  const directory = RunDirectory.open(folder);
  const { options, module } = directory.config;
  const env = typeof module === "string" && isTrusted(module) ? { env: module } : {};
  const found = directory.latest();
  if (!found) return env;
  const { process } = found.snapshot as { readonly process: { readonly [part: string]: Snapshot } };
  const parts = Object.entries(process).filter(([name]) => !transientParts.has(name));
  const plain = Object.entries(options ?? {}).filter(([, value]) => codeIn(value) === undefined);
  return { ...env, training: { options: Object.fromEntries(plain), parts: Object.fromEntries(parts) } };
}
