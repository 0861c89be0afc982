import { existsSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { type ForeignLibrary, loadForeign } from "../native/foreign.ts";

/** Folders of `root` whose name matches. */
function below(root: string, pattern: RegExp): string[] {
  try {
    return readdirSync(root)
      .filter((n) => pattern.test(n))
      .map((n) => join(root, n));
  } catch {
    return [];
  }
}

/** Where CUDA and Python packages put their libraries. */
function folders(): string[] {
  const toolkits = [process.env.CUDA_HOME, process.env.CUDA_PATH, ...below("/usr/local", /^cuda/)].filter(
    (f): f is string => !!f,
  );
  const prefixes = [
    process.env.VIRTUAL_ENV,
    process.env.CONDA_PREFIX,
    join(homedir(), ".local"),
    "/usr",
    "/usr/local",
    ...below("/opt", /./),
    ...below("/opt", /./).map((f) => join(f, ".venv")),
  ];
  const packages = prefixes
    .filter((f): f is string => !!f)
    .flatMap((f) => below(join(f, "lib"), /^python3/))
    .flatMap((f) => [join(f, "site-packages"), join(f, "dist-packages")])
    .flatMap((f) => below(join(f, "nvidia"), /./));
  return [
    ...toolkits.flatMap((f) => [join(f, "lib64"), join(f, "targets/x86_64-linux/lib")]),
    ...packages.map((f) => join(f, "lib")),
  ];
}

/** Loads the first of NVIDIA's libraries that works: from `asked` if given, else where the loader or an installation has it. `first` are libraries beside it that it needs. */
export function openInstalled(
  names: readonly string[],
  asked?: string,
  first: readonly string[] = [],
): ForeignLibrary | { readonly reason: string } {
  const foreign = loadForeign();
  const found = () => folders().flatMap((f) => names.map((n) => join(f, n)));
  let reason = "";
  for (const path of asked ? [asked] : [...names, ...found().filter((p) => existsSync(p))]) {
    try {
      for (const name of first) {
        const beside = join(path, "..", name);
        if (path.includes("/") && existsSync(beside)) foreign.load(beside);
      }
      return foreign.load(path);
    } catch (error) {
      reason ||= (error as Error).message.split("\n")[0];
    }
  }
  return { reason };
}
