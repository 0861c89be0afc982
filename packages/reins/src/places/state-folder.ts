import { homedir } from "node:os";
import { join } from "node:path";

/** The folder in which Reins keeps what belongs to this user: trusted files, studios that are open. */
export const stateFolder = (): string =>
  process.env.REINS_STATE || join(process.env.XDG_STATE_HOME || join(homedir(), ".local", "state"), "reins");
