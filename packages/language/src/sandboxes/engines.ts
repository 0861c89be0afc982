import { fail } from "@reins/core";
import { createRequire } from "#node";

const require = createRequire(import.meta.url);

/**
 * What to do where a sandbox's engine cannot be loaded. Engines are not installed with Reins, as most programs run none; a missing one is
 * the fault of no answer, so it is no outcome but an error that says what to install.
 *
 * Given to `import(…).catch` as it stands: bundlers then let the engine be missing, too.
 */
export function notInstalled(sandbox: string, engine: string): (error: unknown) => never {
  return (error) => {
    if (!/^(ERR_)?MODULE_NOT_FOUND$/.test(`${(error as { code?: unknown } | null)?.code}`)) throw error;
    return fail(`sandbox ${sandbox}`, `${engine} is not installed. Run: npm install ${engine}`);
  };
}

/** A file of an engine: what its package exports under this path. */
export function engineFile(sandbox: string, engine: string, path = engine): string {
  try {
    return require.resolve(path);
  } catch (error) {
    return notInstalled(sandbox, engine)(error);
  }
}
