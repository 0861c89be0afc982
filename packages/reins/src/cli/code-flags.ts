import { RunDirectory } from "@reins/core/directory";
import { ids } from "@reins/envs";
import type { LoadOptions } from "../load.ts";
import { filesIn } from "../places/code-options.ts";
import { isModulePath, namesCode } from "../places/module-path.ts";
import { noteTrust } from "../places/trust.ts";
import { type GivenFlags, text, toggle } from "./flags.ts";

/** Flags that name or trust the code of a run: its environment, networks and judge. */
export const codeFlags = {
  env: text("FILE", "file of your own environment, if it was moved or changed"),
  network: text("FILE", "file of your own network, if it was moved or changed"),
  encoder: text("FILE", "file of your own encoder, if it was moved or changed"),
  judge: text("FILE", "file of your own judge, if it was moved or changed"),
  trust: toggle(
    "run the code that the run names and write to the paths that it names, with your permissions",
  ),
};

/** The code options for loading a run. Code that the user names is trusted. */
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
