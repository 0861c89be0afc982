import { existsSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { diagnostics, pageOf } from "@reins/core/diagnostics";
import { didYouMean } from "@reins/core/errors";
import { wrap } from "../terminal/format.ts";
import { usageError } from "./usage.ts";

/** Names of the pages about diagnoses: `steps-too-large`. */
export const pageNames: readonly string[] = diagnostics.map((d) => basename(pageOf(d), ".md"));

/** The page about a diagnosis, wrapped to a width. */
export function pageLines(typed: string, width: number): string[] {
  const name = typed.toLowerCase().replaceAll(" ", "-");
  if (!pageNames.includes(name))
    usageError(
      `unknown diagnosis ${typed}.${didYouMean(name, pageNames)} Use one of ${pageNames.join(", ")}.`,
    );
  return readable(textOf(name), width);
}

/** Reads a page from the package, or from docs/ in a checkout. The build copies the pages, since docs/ is not published. */
function textOf(name: string): string {
  const packed = new URL(`../diagnostics/${name}.md`, import.meta.url);
  return readFileSync(
    existsSync(packed) ? packed : new URL(`../../../../docs/diagnostics/${name}.md`, import.meta.url),
    "utf8",
  );
}

/** A page without its links. Code and tables stay unchanged. */
function readable(page: string, width: number): string[] {
  let code = false;
  const lines = page.trimEnd().split("\n");
  // The last line links to the index.
  return lines.slice(0, lines.at(-1)?.startsWith("[") ? -2 : undefined).flatMap((line) => {
    if (line.startsWith("```")) code = !code;
    if (line.startsWith("```")) return [];
    if (code) return [`    ${line}`];
    const text = line.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1");
    if (text === "" || /^(\||#| {4})/.test(text)) return [text];
    const [indent, rest] = text.startsWith("- ") ? ["  ", text.slice(2)] : ["", text];
    return wrap(rest, width - indent.length).map((part, i) => (indent && i === 0 ? "- " : indent) + part);
  });
}
