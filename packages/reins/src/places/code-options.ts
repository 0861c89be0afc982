import { resolve } from "node:path";
import { type AlgorithmMaker, fail } from "@reins/core";
import { codeIn, type RunConfig } from "@reins/core/directory";
import { functionFromModule } from "./module.ts";
import { checkCode, noteTrust } from "./trust.ts";

/** Options of an algorithm by name. */
type Options = { readonly [name: string]: unknown };
/** Files of functions, by option. */
export type OptionFiles = { readonly [option: string]: string };

/** Options of a command line, with the functions of files that they name, and these files. The user's files become trusted. */
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

/** Files that a saved run's configuration names for options. */
export const filesIn = (config: RunConfig): OptionFiles => (config.files ?? {}) as OptionFiles;

/** Options of a saved run. Functions come from files that its configuration or the user names. */
export async function storedOptions(
  path: string,
  config: RunConfig,
  { optionFiles = {}, trust = false }: { readonly optionFiles?: OptionFiles; readonly trust?: boolean },
): Promise<Options> {
  const options: Record<string, unknown> = { ...config.options };
  for (const [option, file] of Object.entries({ ...filesIn(config), ...optionFiles })) {
    if (codeIn(options[option]) === undefined)
      fail(path, `the run has no custom ${option}. Omit --${option}.`);
    if (!(option in optionFiles)) checkCode(path, file, trust, option);
    options[option] = await functionFromModule(file, option);
  }
  const code = codeIn(options);
  if (code === undefined) return options;
  return fail(
    path,
    `its option ${code} is code, which a run directory cannot store. Resume it from the program that started it: resume(path, { algorithm }). A network in a file (--network ./my-network.js) can be found again.`,
  );
}
