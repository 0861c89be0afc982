import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { fail } from "@reins/core";

/**
 * Which files of environments the user of this machine has named himself. A run's folder says which file its environment is in, and may
 * come from anybody: it alone never makes Reins run code. The record is kept outside of all runs, one small file for each that was
 * named, and holds the digest of its text: a file that was changed or exchanged since must be named again.
 */
export function noteTrust(file: string): void {
  try {
    mkdirSync(folder(), { recursive: true, mode: 0o700 });
    writeFileSync(recordOf(file), `${digestOf(file)} ${resolve(file)}\n`, { mode: 0o600 });
  } catch {
    // Where nothing can be noted, the file must be named every time.
  }
}

/** Whether the user has named this file, and it is still the same. */
export function isTrusted(file: string): boolean {
  try {
    return readFileSync(recordOf(file), "utf8") === `${digestOf(file)} ${resolve(file)}\n`;
  } catch {
    return false;
  }
}

/** Refuses to run the file that a run's configuration names, and says what to do. */
export function refuseCode(path: string, file: string): never {
  return fail(
    path,
    `its environment is code, in ${file}, as the run's own config.json says. Such code is not run unasked: the run may be somebody else's, or the file may have changed since you named it. If you know the file, name it (--env ${file}) or say --trust; in a program, pass \`env\` or \`trust: true\`.`,
  );
}

const folder = () =>
  join(
    process.env.REINS_STATE ||
      join(process.env.XDG_STATE_HOME || join(homedir(), ".local", "state"), "reins"),
    "trusted",
  );
const recordOf = (file: string) => join(folder(), sha256(resolve(file)));
const digestOf = (file: string) => sha256(readFileSync(file));
const sha256 = (bytes: string | Uint8Array) => createHash("sha256").update(bytes).digest("hex");
