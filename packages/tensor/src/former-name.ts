import { TensorError } from "./errors.ts";

/**
 * A value that stands for a renamed export: any use of it throws an error with the name now. Without it, Node names only the missing
 * export, and bundlers import undefined. `now` is an import or a name.
 */
export function formerName(module: string, before: string, now: string): never {
  function refuse(): never {
    const way = now.startsWith("import ") ? now : `${now.replace(/ of (\S+)$/, ' of "$1"')}`;
    throw new TensorError(`${module}: ${before} has been renamed or moved. Use ${way} (docs/renamed.md).`);
  }
  return new Proxy(refuse, {
    // Symbols are what consoles and `instanceof` ask for; promises ask for `then`.
    get: (_, name) => (typeof name === "symbol" || name === "then" ? undefined : refuse()),
    apply: refuse,
    construct: refuse,
  }) as never;
}
