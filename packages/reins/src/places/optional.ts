import { fail } from "@reins/core";

/** Optional packages of Reins. */
type Optional = "@reins/language" | "@reins/recipes" | "@reins/studio";

/** Whether an error means that a package is not installed; errors inside of it do not count. */
export function isMissing(error: unknown, name: Optional): boolean {
  const { code, message } = error as { readonly code?: string; readonly message?: string };
  return code === "ERR_MODULE_NOT_FOUND" && message?.includes(`'${name}'`) === true;
}

/** For `import(…).catch`: names the package to install if it is missing. */
export const notInstalled =
  (name: Optional, what: string) =>
  (error: unknown): never => {
    if (isMissing(error, name)) fail(what, `this needs an optional package. Run: npm install ${name}`);
    throw error;
  };
