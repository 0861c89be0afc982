import type { AlgorithmMaker } from "@reins/core";

/** Algorithms that were loaded from files, by name. */
const files = new Map<string, { readonly maker: AlgorithmMaker; readonly file: string }>();

/** Remembers where an algorithm came from: its runs are to find it there again. */
export function noteFile(maker: AlgorithmMaker, file: string): void {
  files.set(maker.definition.name, { maker, file });
}

/** The file of the algorithm that is known by a name, if it came from one and no other has taken its place since. */
export async function fileOf(name: string): Promise<string | undefined> {
  const noted = files.get(name);
  if (!noted) return undefined;
  const { algorithms } = await import("./algorithms.ts");
  return algorithms[name] === noted.maker ? noted.file : undefined;
}
