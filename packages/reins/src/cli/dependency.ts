import { basename, dirname, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { version } from "./version.ts";

/** The folder of this copy of Reins. */
const here = fileURLToPath(new URL("../../", import.meta.url)).replace(/[\\/]$/, "");

/** The dependency entry of a `package.json` for this copy of Reins: its version if npm installed it, its folder in a checkout. */
export function dependency(folder: string = here): string {
  return basename(dirname(folder)) === "node_modules"
    ? `^${version()}`
    : `file:${folder.split(sep).join("/")}`;
}
