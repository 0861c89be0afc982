import type { Pairs } from "./coverage.ts";
import { operationNames } from "./generate.ts";

/** A page of the covered pairs of operations: their number, the rarest, and for each operation those that never read it. */
export function reportPairs(pairs: Pairs): string {
  const possible = operationNames.length ** 2;
  const between = [...pairs].filter(([k]) => k.split(">").every((n) => operationNames.includes(n)));
  const readers = new Map<string, Set<string>>();
  for (const [k] of between) {
    const [from, to] = k.split(">");
    readers.set(from, (readers.get(from) ?? new Set()).add(to));
  }
  const rows = operationNames.map((n) => {
    const seen = readers.get(n) ?? new Set<string>();
    const never = operationNames.filter((m) => !seen.has(m));
    return `| ${n} | ${seen.size} | ${never.join(" ")} |`;
  });
  const counts = [...pairs].sort((a, b) => b[1] - a[1]).map(([k, n]) => `${n} ${k}`);
  return `# Pairs of operations

${operationNames.length} operations; ${between.length} of ${possible} pairs (an operation and one that reads its result) came up.
Not all can: an operation on numbers does not read a mask.

| operation | read by | never read by |
| --- | --- | --- |
${rows.join("\n")}

## Counts

${counts.join("\n")}
`;
}
