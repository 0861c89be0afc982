/** A program of a page with its expected output: one line per `console.log` that has an expectation. */
export interface Program {
  readonly code: string;
  readonly promised: readonly (string | undefined)[];
}

/** The first TypeScript program of a page. */
export function programOf(page: string): Program | undefined {
  const code = /^```ts\n(.*?)^```$/ms.exec(page)?.[1];
  if (code === undefined) return undefined;
  return { code, promised: [...code.matchAll(/console\.log\(.*\);(?: \/\/ (.*))?$/gm)].map((m) => m[1]) };
}

/** Whether a program printed its expected output. */
export function keeps({ promised }: Program, printed: string): boolean {
  const lines = printed.split("\n").slice(0, -1);
  return lines.length === promised.length && promised.every((p, i) => p === undefined || p === lines[i]);
}
