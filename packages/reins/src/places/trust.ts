import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fail } from "@reins/core";
import { filesOf } from "./module-files.ts";
import { stateFolder } from "./state-folder.ts";

/**
 * Which files of environments the user of this machine has named himself. A run's folder says which file its environment is in, and may
 * come from anybody: it alone never makes Reins run code. The record is kept outside of all runs, one small file for each that was
 * named, and holds the digest of its text and of the files that it imports by relative paths: what was changed or exchanged since must
 * be named again. Packages that it imports are not looked at.
 */
export function noteTrust(file: string): void {
  try {
    mkdirSync(folder(), { recursive: true, mode: 0o700 });
    writeFileSync(recordOf(file), `${digestOf(file)} ${resolve(file)}\n`, { mode: 0o600 });
  } catch {
    // Where nothing can be noted, the file must be named every time.
  }
}

/** Whether the user has named this file, and it is still the same, with what it imports. */
export function isTrusted(file: string): boolean {
  try {
    return readFileSync(recordOf(file), "utf8") === `${digestOf(file)} ${resolve(file)}\n`;
  } catch {
    return false;
  }
}

/** Refuses to run the file that a run's configuration names for its environment, algorithm, network or judge, and says what to do. */
export function refuseCode(path: string, file: string, what = "environment"): never {
  const flag = what === "environment" ? "env" : what;
  const passed = what === "environment" ? "env" : what === "judge" ? "judge" : "algorithm";
  const byFlag = what === "algorithm" ? "" : `name it (--${flag} ${file}) or `;
  return fail(
    path,
    `its ${what} is code, in ${file}, as the run's own config.json says. Such code is not run unasked: the run may be somebody else's, or the file, or one that it imports, may have changed since you named it. If you know the file, ${byFlag}say --trust; in a program, pass \`${passed}\` or \`trust: true\`.`,
  );
}

/** Notes that the user wants the language model of this run, or its adapters, in this folder. */
export function noteTarget(run: string, target: string): void {
  try {
    mkdirSync(folder(), { recursive: true, mode: 0o700 });
    writeFileSync(targetOf(run, target), "", { mode: 0o600 });
  } catch {
    // Where nothing can be noted, it must be said again.
  }
}

/** Refuses to write where only the run's configuration says so: it may be somebody else's. */
export function checkTarget(run: string, target: string, what: string): void {
  if (existsSync(targetOf(run, target))) return;
  fail(
    run,
    `its ${what} to be written to ${target} in the end, as the run's own config.json says, but nobody said so here. If you want that, say --trust; in a program, pass \`trust: true\`.`,
  );
}

const targetOf = (run: string, target: string) =>
  join(folder(), sha256(`model of ${resolve(run)} in ${resolve(target)}`));

const folder = () => join(stateFolder(), "trusted");
const recordOf = (file: string) => join(folder(), sha256(resolve(file)));
const digestOf = (file: string) => {
  const [own, ...others] = filesOf(file).map((path) => [sha256(readFileSync(path)), path]);
  return others.length ? sha256([own, ...others].sort().join("\n")) : own[0];
};
const sha256 = (bytes: string | Uint8Array) => createHash("sha256").update(bytes).digest("hex");
