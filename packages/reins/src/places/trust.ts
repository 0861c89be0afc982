import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { fail } from "@reins/core";
import { filesOf } from "./module-files.ts";
import { pythonModule } from "./module-path.ts";
import { stateFolder } from "./state-folder.ts";

/** Environment variable of processes whose command line comes from a run directory: they refuse untrusted code. */
export const knownOnly = "REINS_KNOWN_CODE_ONLY";

/**
 * Records that the user of this machine named a file of code or a Python environment. A run directory names its environment too, and
 * may come from anyone: it alone never makes Reins run code. The record is kept outside of all runs, one small file per name. For a
 * file it holds the digest of its text and of the files that it imports by relative paths: a changed file must be named again.
 * Packages are not checked: a Python module is identified by its name, and Python finds it where the user installed it.
 */
export function noteTrust(code: string): void {
  if (process.env[knownOnly] && !isTrusted(code))
    fail(
      code,
      "this command comes from a run's config.json, and the code was not named on this machine, or has changed since. If you trust it, type the command in a terminal.",
    );
  try {
    mkdirSync(folder(), { recursive: true, mode: 0o700 });
    writeFileSync(recordOf(code), recordText(code), { mode: 0o600 });
  } catch {
    // If nothing can be recorded, the code must be named every time.
  }
}

/** Whether the user has named this code, and the file and its imports are unchanged. */
export function isTrusted(code: string): boolean {
  try {
    return readFileSync(recordOf(code), "utf8") === recordText(code);
  } catch {
    return false;
  }
}

/** Refuses to run the file that a run's configuration names for its environment, algorithm, network or judge, and says what to do. */
function refuseCode(path: string, file: string, what = "environment"): never {
  const module = pythonModule(file);
  if (module !== undefined)
    return fail(
      path,
      `its environment is ${file}, which imports the Python module ${module}. A run may come from anyone, so its code is not run without your consent. If you trust the module, name the environment (--env ${file}) or pass --trust; in a program, pass \`env\` or \`trust: true\`.`,
    );
  const flag = what === "environment" ? "env" : what;
  const passed = what === "environment" ? "env" : what === "judge" ? "judge" : "algorithm";
  const program = `in a program, pass \`${passed}\``;
  if (!existsSync(file)) {
    const own =
      what === "algorithm" ? "Put your copy there" : `Pass your copy (--${flag} ./${basename(file)})`;
    return fail(path, `its ${what} is code, in ${file}, which does not exist. ${own}; ${program}.`);
  }
  const byFlag = what === "algorithm" ? "" : `name it (--${flag} ${file}) or `;
  return fail(
    path,
    `its ${what} is code, in ${file}, according to the run's config.json. Such code is not run without your consent: the run may come from another user, or the file, or one that it imports, may have changed since you named it. If you trust the file, ${byFlag}pass --trust; ${program} or \`trust: true\`.`,
  );
}

/** Refuses code that a run's configuration names if it does not exist, or is not trusted. */
export function checkCode(path: string, code: string, trust: boolean, what?: string): void {
  if (trust ? pythonModule(code) === undefined && !existsSync(code) : !isTrusted(code))
    refuseCode(path, code, what);
}

/** Records that the user wants the language model of this run, or its adapters, in this folder. */
export function noteTarget(run: string, target: string): void {
  try {
    mkdirSync(folder(), { recursive: true, mode: 0o700 });
    writeFileSync(targetOf(run, target), "", { mode: 0o600 });
  } catch {
    // If nothing can be recorded, the folder must be confirmed again.
  }
}

/** Refuses to write to a folder that only the run's configuration names: the run may come from another user. */
export function checkTarget(run: string, target: string, what: string): void {
  if (existsSync(targetOf(run, target))) return;
  fail(
    run,
    `its ${what} to be written to ${target} at the end, according to the run's config.json, but this was not confirmed on this machine. To allow it, pass --trust; in a program, pass \`trust: true\`.`,
  );
}

const targetOf = (run: string, target: string) =>
  join(folder(), sha256(`model of ${resolve(run)} in ${resolve(target)}`));

const folder = () => join(stateFolder(), "trusted");
const recordOf = (code: string) => {
  const module = pythonModule(code);
  return join(folder(), sha256(module === undefined ? resolve(code) : `python ${module}`));
};
const recordText = (code: string) =>
  pythonModule(code) === undefined
    ? `${digestOf(code)} ${resolve(code)}\n`
    : `python ${pythonModule(code)}\n`;
const digestOf = (file: string) => {
  const [own, ...others] = filesOf(file).map((path) => [sha256(readFileSync(path)), path]);
  return others.length ? sha256([own, ...others].sort().join("\n")) : own[0];
};
const sha256 = (bytes: string | Uint8Array) => createHash("sha256").update(bytes).digest("hex");
