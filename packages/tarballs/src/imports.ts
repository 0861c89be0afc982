/** `import { a, b } from "x"`, `export * as c from "x"`, `import "x"`: at the beginning of a line, where no example in a comment is. */
const statements =
  /^(?:import|export)\s+(?:(?:type\s+)?(?:\w+|\{[^}]*\}|\*(?:\s+as\s+\w+)?)(?:\s*,\s*\{[^}]*\})?\s+from\s+)?"([^"\n]+)"/gm;
/** `import("x")`, in types too. */
const calls = /^(?!\s*(?:\/?\*|\/\/)).*?\bimport\(\s*"([^"\n]+)"\s*\)/gm;

/** What a module imports, as it says it. Written for code that a formatter or a compiler has laid out. */
export function importsOf(text: string): Set<string> {
  return new Set([...text.matchAll(statements), ...text.matchAll(calls)].map((m) => m[1]));
}

/** The package that an import names, without a subpath. */
export function packageOf(specifier: string): string {
  return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
}
