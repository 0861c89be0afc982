import { existsSync, join, readFile, replaceFile } from "#node";

/** Files of a model folder besides the weights: the tokenizer and the settings of generation. */
const names = [
  "generation_config.json",
  "tokenizer.json",
  "tokenizer_config.json",
  "special_tokens_map.json",
  "added_tokens.json",
  "vocab.json",
  "merges.txt",
  "chat_template.jinja",
];

/** Copies the files of a model beside its weights, and writes its configuration last: a folder with one is complete. */
export async function copyModelFiles(from: string, to: string, config: string): Promise<void> {
  for (const name of names) {
    const source = join(from, name);
    if (existsSync(source)) await replaceFile(join(to, name), await readFile(source, "utf8"));
  }
  await replaceFile(join(to, "config.json"), config);
}
