import { rename, rm, writeFile } from "node:fs/promises";

/** Replaces a file atomically: a process killed in between leaves either the old content or the new one. */
export async function replaceFile(path: string, text: string | Uint8Array): Promise<void> {
  const draft = `${path}.${process.pid}.part`;
  try {
    // A new file: one left by a killed process is removed, and a symbolic link is not followed.
    await rm(draft, { force: true });
    await writeFile(draft, text, { flag: "wx" });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
