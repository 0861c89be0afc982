import type { AlgorithmMaker } from "@reins/core";

/** Files of loaded algorithms, by name. */
const files = new Map<string, { readonly maker: AlgorithmMaker; readonly file: string }>();

/** Records the file of an algorithm, so that its runs find it. */
export function noteFile(maker: AlgorithmMaker, file: string): void {
  files.set(maker.definition.name, { maker, file });
}

/** The file of an algorithm by name, if it came from one and was not replaced since. */
export async function fileOf(name: string): Promise<string | undefined> {
  const noted = files.get(name);
  if (!noted) return undefined;
  const { algorithms } = await import("./algorithms.ts");
  return algorithms[name] === noted.maker ? noted.file : undefined;
}
