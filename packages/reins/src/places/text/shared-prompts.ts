/** A file of a mixture, with the hashes of its prompts. */
interface PromptsOfFile {
  readonly file: string;
  readonly prompts: { readonly train: Uint32Array; readonly test: Uint32Array };
}

/**
 * A warning if held-out prompts of a file are trained on in other files of a mixture: each file is split on its own. Fewer than hashes of
 * 32 bits collide by chance are not reported.
 */
export function sharedNotes({ file, prompts }: PromptsOfFile, others: readonly PromptsOfFile[]): string[] {
  const held = new Set(prompts.test);
  if (held.size === 0) return [];
  const shared = new Set<number>();
  const found = new Set<string>();
  let trained = 0;
  for (const other of others) {
    trained += other.prompts.train.length;
    for (const key of other.prompts.train)
      if (held.has(key)) {
        shared.add(key);
        found.add(other.file);
      }
  }
  if (shared.size <= (4 * held.size * trained) / 2 ** 32) return [];
  const [count, are] =
    shared.size === 1 ? ["1 held-out prompt", "is"] : [`${shared.size} held-out prompts`, "are"];
  return [
    `${count} of ${file} ${are} also in the training lines of ${[...found].join(", ")}, so validation is too good. Remove ${shared.size === 1 ? "it" : "them"} there.`,
  ];
}
