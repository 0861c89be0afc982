import { existsSync, join, readFile, replaceFile } from "#node";
import { tokenizerFiles } from "../models/tokenizer-files.ts";

/** Copies the files of a model beside its weights, and writes its configuration last: a folder with one is complete. */
export async function copyModelFiles(from: string, to: string, config: string): Promise<void> {
  for (const name of ["generation_config.json", ...tokenizerFiles]) {
    const source = join(from, name);
    if (existsSync(source)) await replaceFile(join(to, name), await readFile(source));
  }
  await replaceFile(join(to, "config.json"), config);
}
