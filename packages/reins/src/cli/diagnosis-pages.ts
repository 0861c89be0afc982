import { existsSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { diagnostics, didYouMean, pageOf } from "@reins/core";
import { wrap } from "../terminal/words.ts";
import { misuse } from "./usage.ts";

/** The names of the pages about diagnoses, as they are typed: `steps-too-large`. */
export const pageNames: readonly string[] = diagnostics.map((d) => basename(pageOf(d), ".md"));

/** The page about a diagnosis, in lines for a terminal of that width. */
export function pageLines(typed: string, width: number): string[] {
  const name = typed.toLowerCase().replaceAll(" ", "-");
  if (!pageNames.includes(name))
    misuse(
      `there is no page about ${typed}.${didYouMean(name, pageNames)} There are ${pageNames.join(", ")}.`,
    );
  return readable(textOf(name), width);
}

/** Pages are written in the documentation. A build puts them into the package, which has no documentation once it is installed. */
function textOf(name: string): string {
  const packed = new URL(`../diagnostics/${name}.md`, import.meta.url);
  return readFileSync(
    existsSync(packed) ? packed : new URL(`../../../../docs/diagnostics/${name}.md`, import.meta.url),
    "utf8",
  );
}

/** A page without its links, which lead nowhere in a terminal. Its programs and tables stay as they are. */
function readable(page: string, width: number): string[] {
  let code = false;
  const lines = page.trimEnd().split("\n");
  // The last line leads to all pages.
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
