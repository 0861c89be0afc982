import { existsSync, readFileSync } from "node:fs";

/** The declaration of a name from the compiler's output, with all overloads. */
export function declarationOf(file: string, name: string): string | undefined {
  if (!existsSync(file)) return undefined;
  const text = readFileSync(file, "utf8");
  const begins = new RegExp(
    `^(?:export )?(?:declare )?(?:abstract )?(function\\*?|const|let|class|interface|type|enum) ${name.replace("$", "\\$")}\\b`,
    "gm",
  );
  const found = [...text.matchAll(begins)].map((m) => text.slice(m.index, endOf(text, m.index)));
  return found.length
    ? found.map((one) => withoutPrivate(one.replace(/^(export )?(declare )?/, ""))).join("\n")
    : undefined;
}

/** The end of a statement: a semicolon or closing brace at the outer level. */
function endOf(text: string, begin: number): number {
  const isBlock = /^(?:export )?(?:declare )?(?:abstract )?(class|interface|enum) /.test(text.slice(begin));
  let depth = 0;
  for (let i = begin; i < text.length; i++) {
    if (text.startsWith("/*", i)) i = text.indexOf("*/", i) + 1;
    else if (text[i] === '"') i = text.indexOf('"', i + 1);
    else if ("([{".includes(text[i])) depth++;
    else if (")]}".includes(text[i])) {
      depth--;
      if (depth === 0 && isBlock && text[i] === "}") return i + 1;
    } else if (text[i] === ";" && depth === 0) return i + 1;
  }
  return text.length;
}

/** Private members are left out, with their comments. */
const withoutPrivate = (text: string) =>
  text.replace(/^( *\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)? *(private|#|\/\*\* @internal).*\n/gm, "");
