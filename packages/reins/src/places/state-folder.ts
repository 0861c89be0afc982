import { homedir } from "node:os";
import { join } from "node:path";

/** Folder of Reins' per-user state: trusted files and open studios. */
export const stateFolder = (): string =>
  process.env.REINS_STATE || join(process.env.XDG_STATE_HOME || join(homedir(), ".local", "state"), "reins");
