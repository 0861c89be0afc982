import { rename, rm, writeFile } from "node:fs/promises";

/** Writes a file as a whole: whoever is killed meanwhile leaves the old text or the new one, and can write it again. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const draft = `${path}.${process.pid}.part`;
  try {
    await writeFile(draft, text);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
