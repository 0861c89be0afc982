import { randomBytes } from "node:crypto";
import { promises as fs } from "node:fs";
import { join } from "node:path";
import type { RunsFolder } from "./folder.ts";
import { Refusal } from "./refusal.ts";
import type { Marks } from "./run-wire.ts";

/** The file of a run's note and tags. */
const fileName = "studio.json";
/** The marks of a run without notes. */
export const noMarks: Marks = { tags: [], note: "", version: 0 };

/** The note and tags of a run. An invalid file counts as empty. */
export async function readMarks(folder: RunsFolder, name: string): Promise<Marks> {
  try {
    return admitMarks(JSON.parse((await folder.textOf(name, fileName)) ?? "{}"));
  } catch {
    return noMarks;
  }
}

/** Writes are serialised, so that each sees the version of the one before. */
let writing: Promise<unknown> = Promise.resolve();

/**
 * Writes the note and tags of a run; a field that is not given stays as it is. With `version`, it refuses to overwrite
 * changes that were saved after that version.
 */
export function writeMarks(folder: RunsFolder, name: string, given: unknown): Promise<Marks> {
  const written = writing.then(() => replaceMarks(folder, name, Object(given)));
  writing = written.catch(() => {});
  return written;
}

async function replaceMarks(
  folder: RunsFolder,
  name: string,
  { version, ...given }: Partial<Marks>,
): Promise<Marks> {
  const current = await readMarks(folder, name);
  if (version !== undefined && version !== current.version)
    throw new Refusal(
      409,
      "These notes were changed elsewhere after you opened them. Yours are not saved yet.",
    );
  const marks = { ...admitMarks({ ...current, ...given }), version: current.version + 1 };
  const path = await folder.pathOf(name);
  const draft = join(path, `.${fileName}.${randomBytes(6).toString("hex")}`);
  await fs.writeFile(draft, `${JSON.stringify(marks)}\n`, { flag: "wx" });
  try {
    await fs.rename(draft, join(path, fileName));
  } catch (error) {
    await fs.rm(draft, { force: true });
    const { code } = error as NodeJS.ErrnoException;
    throw new Refusal(422, `${fileName} cannot be written (${code}): remove what is in its place`);
  }
  return marks;
}

function admitMarks(given: unknown): Marks {
  const { tags = [], note = "", version = 0 } = (given ?? {}) as Partial<Marks>;
  if (!Array.isArray(tags) || !tags.every((t) => typeof t === "string") || typeof note !== "string")
    throw new Refusal(400, "tags must be a list of strings, and note a string");
  if (note.length > 100_000 || tags.length > 100 || tags.some((t) => t.length > 100))
    throw new Refusal(413, "at most 100 tags of 100 characters and a note of 100,000 characters");
  const words = tags.map((t) => t.trim()).filter(Boolean);
  return { tags: [...new Set(words)], note, version: Number.isSafeInteger(version) ? version : 0 };
}
