import { basename, dirname, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { version } from "./version.ts";

/** The folder of this copy of Reins. */
const here = fileURLToPath(new URL("../../", import.meta.url)).replace(/[\\/]$/, "");

/** What a project's `package.json` says to get this copy: its version where npm installed it, its folder where it is part of a checkout. */
export function dependency(folder: string = here): string {
  return basename(dirname(folder)) === "node_modules"
    ? `^${version()}`
    : `file:${folder.split(sep).join("/")}`;
}
