import type { BookRow } from "../rows.ts";

/** Names of the repositories and papers that a source consists of: `arXiv:2010.03152`, `doi:10.1/x`, `owner/name`. */
const source = /arXiv:\d{4}\.\d{4,5}|doi:[^\s,;]+|(?<![\w/.])[\w-]+\/[\w.-]+(?![\w/])/g;

/** A source with links to its papers and repositories. */
export const linkedSource = (text: string): string =>
  text.replace(source, (found) => `[${found}](${addressOf(found)})`);

/** The address of the first paper or repository of a source; undefined if it names none. */
export function firstAddress(text: string): string | undefined {
  const [found] = text.match(source) ?? [];
  return found && addressOf(found);
}

function addressOf(found: string): string {
  if (found.startsWith("arXiv:")) return `https://arxiv.org/abs/${found.slice(6)}`;
  return found.startsWith("doi:") ? `https://doi.org/${found.slice(4)}` : `https://github.com/${found}`;
}

/** The path of a row's file within the book. */
const pathOf = (file: string): string => file.split("/").slice(-2).join("/");

/** A row's name, linked to its file. `up` leads from the page to the book. */
export const link = ({ file, system }: BookRow, up = ""): string =>
  file ? `[${system.id}](${up}${pathOf(file)})` : system.id;

/** A row's name, linked to its section on the page of its family. */
export const linkToFamily = ({ system: { id, family } }: BookRow, up = ""): string =>
  `[${id}](${up}families/${family[0]}.md#${id})`;

/** The cells of a row of a Markdown table. */
export const tableRow = (cells: readonly string[]): string =>
  `| ${cells.map((c) => c.replaceAll("|", "\\|").replaceAll("\n", " ")).join(" | ")} |`;

/** A Markdown table. */
export const markdownTable = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows].map(tableRow).join("\n");
