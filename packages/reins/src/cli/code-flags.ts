import { RunDirectory } from "@reins/core/directory";
import { ids } from "@reins/envs";
import type { LoadOptions } from "../load.ts";
import { filesIn } from "../places/code-options.ts";
import { isModulePath, namesCode } from "../places/module-path.ts";
import { noteTrust } from "../places/trust.ts";
import { type GivenFlags, text, toggle } from "./flags.ts";

/** How the code of a run, of its environment and of its networks, is admitted. */
export const codeFlags = {
  env: text("FILE", "the file of the environment, where that is your own and it was moved or changed"),
  network: text("FILE", "the same of a network of your own"),
  encoder: text("FILE", "the same of an encoder of your own"),
  judge: text("FILE", "the same of a judge of your own"),
  trust: toggle("run the file that the run names, and write where it says: its author may do what you may"),
};

/** How a run is to be loaded, as far as its code goes. What the user names he need not name again. */
export function givenCode(path: string, given: GivenFlags<typeof codeFlags>): LoadOptions {
  const { env, trust, network, encoder, judge } = given;
  const optionFiles = {
    ...(network === undefined ? {} : { network }),
    ...(encoder === undefined ? {} : { encoder }),
  };
  const { config } = RunDirectory.open(path);
  for (const file of Object.values({ ...(trust ? filesIn(config) : {}), ...optionFiles })) noteTrust(file);
  if (judge !== undefined && isModulePath(judge)) noteTrust(judge);
  if (env !== undefined && isModulePath(env)) {
    noteTrust(env);
    return { file: env, optionFiles, judge, trust };
  }
  if (env !== undefined && namesCode(env)) noteTrust(env);
  if (trust)
    for (const code of [config.module, config.judge, config.env])
      if (typeof code === "string" && namesCode(code) && !ids().includes(code)) noteTrust(code);
  return { env, optionFiles, judge, trust };
}
