import { fail } from "@reins/core";
import { createRequire } from "#node";

const require = createRequire(import.meta.url);

/**
 * Handles a sandbox engine that cannot be loaded. Engines are optional, as most programs use none. A missing engine
 * is not the fault of an answer, so it is an error with the package to install, not an outcome.
 *
 * Passed to `import(…).catch` directly, so that bundlers treat the engine as optional too.
 */
export function notInstalled(sandbox: string, engine: string): (error: unknown) => never {
  return (error) => {
    if (!/^(ERR_)?MODULE_NOT_FOUND$/.test(`${(error as { code?: unknown } | null)?.code}`)) throw error;
    return fail(`sandbox ${sandbox}`, `${engine} is not installed. Run: npm install ${engine}`);
  };
}

/** A file of an engine, by its package's export path. */
export function engineFile(sandbox: string, engine: string, path = engine): string {
  try {
    return require.resolve(path);
  } catch (error) {
    return notInstalled(sandbox, engine)(error);
  }
}
