import { RunDirectory } from "@reins/core/directory";
import type { LoadOptions } from "../load.ts";
import { isModulePath } from "../places/module-path.ts";
import { noteTrust } from "../places/trust.ts";
import { text, toggle } from "./flags.ts";

/** How the code of a run's environment is admitted. */
export const codeFlags = {
  env: text("FILE", "the file of the environment, where that is your own and it was moved or changed"),
  trust: toggle("run the file that the run names, and write where it says: its author may do what you may"),
};

/** How a run is to be loaded, as far as its environment goes. What the user names he need not name again. */
export function givenEnv(path: string, { env, trust }: { env?: string; trust?: boolean }): LoadOptions {
  if (env !== undefined && isModulePath(env)) {
    noteTrust(env);
    return { file: env };
  }
  const { module } = RunDirectory.open(path).config;
  if (trust && typeof module === "string") noteTrust(module);
  return { env, trust };
}
