import { fail } from "@reins/core";

/** Packages of ours that come with `npm install` of their own: control does without them. */
type Optional = "@reins/language" | "@reins/recipes" | "@reins/studio";

/** Whether an error says that a package is not there; what is wrong inside of it is another matter. */
export function isMissing(error: unknown, name: Optional): boolean {
  const { code, message } = error as { readonly code?: string; readonly message?: string };
  return code === "ERR_MODULE_NOT_FOUND" && message?.includes(`'${name}'`) === true;
}

/** For `import(…).catch`: says what to install where a package is missing. */
export const notInstalled =
  (name: Optional, what: string) =>
  (error: unknown): never => {
    if (isMissing(error, name)) fail(what, `it is in a package of its own. Run: npm install ${name}`);
    throw error;
  };
