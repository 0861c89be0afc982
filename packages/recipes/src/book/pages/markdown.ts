const longest = 100;

/** A Markdown paragraph or list item in lines of at most 100 characters; `indent` precedes all lines but the first. */
export function wrapped(text: string, indent = ""): string {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/\s+/)) {
    if (line && line.length + 1 + word.length > longest) {
      lines.push(line);
      // A number with a full stop, a sign or a hash would begin a list or a heading.
      line = indent + word.replace(/^(\d*)([.)]|[-+*#>|]+)$/, "$1\\$2");
    } else line = line ? `${line} ${word}` : word;
  }
  return [...lines, line].join("\n");
}

/** A Markdown list. */
export const bullets = (items: readonly string[]): string =>
  items.map((item) => wrapped(`- ${item}`, "  ")).join("\n");
