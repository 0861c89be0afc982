/** `import { a, b } from "x"`, `export * as c from "x"`, `import "x"`: at the beginning of a line, unlike examples in comments. */
const statements =
  /^(?:import|export)\s+(?:(?:type\s+)?(?:\w+|\{[^}]*\}|\*(?:\s+as\s+\w+)?)(?:\s*,\s*\{[^}]*\})?\s+from\s+)?"([^"\n]+)"/gm;
/** `import("x")`, in types too. */
const calls = /^(?!\s*(?:\/?\*|\/\/)).*?\bimport\(\s*"([^"\n]+)"\s*\)/gm;

/** The import specifiers of a module, for code laid out by a formatter or a compiler. */
export function importsOf(text: string): Set<string> {
  return new Set([...text.matchAll(statements), ...text.matchAll(calls)].map((m) => m[1]));
}

/** The package of an import, without a subpath. */
export function packageOf(specifier: string): string {
  return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
}
