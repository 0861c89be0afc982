import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { main } from "./main.ts";

/** Output and exit code of a command line. */
export interface CommandResult {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command line in this process. */
export async function reins(...args: readonly string[]): Promise<CommandResult> {
  let [out, err] = ["", ""];
  const to = (add: (text: string) => void) => ({ write: add });
  const code = await main(args, {
    out: to((text) => (out += text)),
    err: to((text) => (err += text)),
  });
  return { code, out, err };
}

/** An empty folder that is deleted after the test. */
export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "reins-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
