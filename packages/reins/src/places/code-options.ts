import { resolve } from "node:path";
import { type AlgorithmMaker, fail } from "@reins/core";
import { codeIn, type RunConfig } from "@reins/core/directory";
import { functionFromModule } from "./module.ts";
import { isTrusted, noteTrust, refuseCode } from "./trust.ts";

/** Options of an algorithm by name. */
type Options = { readonly [name: string]: unknown };
/** Files of functions, by the option that each is for. */
export type OptionFiles = { readonly [option: string]: string };

/** Options that were typed, with the functions of the files that they name, and these files. What the user names he need not name again. */
export async function loadCode(
  maker: AlgorithmMaker,
  typed: Options,
): Promise<{ settings: Options; files: OptionFiles }> {
  const settings = { ...typed };
  const files: Record<string, string> = {};
  for (const [option, path] of Object.entries(typed))
    if (maker.definition.options[option]?.code) {
      files[option] = resolve(String(path));
      noteTrust(files[option]);
      settings[option] = await functionFromModule(String(path), option);
    }
  return { settings, files };
}

/** The files that a kept run's configuration names for options. */
export const filesIn = (config: RunConfig): OptionFiles => (config.files ?? {}) as OptionFiles;

/** A kept run's options. Its configuration cannot hold functions: they are in files that it names, or that are named for it. */
export async function storedOptions(
  path: string,
  config: RunConfig,
  { optionFiles = {}, trust = false }: { readonly optionFiles?: OptionFiles; readonly trust?: boolean },
): Promise<Options> {
  const options: Record<string, unknown> = { ...config.options };
  for (const [option, file] of Object.entries({ ...filesIn(config), ...optionFiles })) {
    if (codeIn(options[option]) === undefined)
      fail(path, `it has no ${option} of its own. Leave --${option} out.`);
    if (!(option in optionFiles) && !trust && !isTrusted(file)) refuseCode(path, file, option);
    options[option] = await functionFromModule(file, option);
  }
  const code = codeIn(options);
  if (code === undefined) return options;
  return fail(
    path,
    `its option ${code} is code, which no folder can hold. Resume it from the program that began it: resume(path, { algorithm }). A network in a file, as in --network ./my-network.js, is found again.`,
  );
}
