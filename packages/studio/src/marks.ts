import { randomBytes } from "node:crypto";
import { promises as fs } from "node:fs";
import { join } from "node:path";
import type { RunsFolder } from "./folder.ts";
import { Refusal } from "./refusal.ts";
import type { Marks } from "./wire.ts";

/** The file in a run's folder that has what a person wrote beside it. */
const fileName = "studio.json";
/** Nothing is written beside a run. */
export const noMarks: Marks = { tags: [], note: "" };

/** What is written beside a run. What somebody else put there and is no such thing counts as nothing. */
export async function readMarks(folder: RunsFolder, name: string): Promise<Marks> {
  try {
    return admitMarks(JSON.parse((await folder.textOf(name, fileName)) ?? "{}"));
  } catch {
    return noMarks;
  }
}

/** Writes it anew. What is not given stays as it is: somebody else may have changed it. */
export async function writeMarks(folder: RunsFolder, name: string, given: unknown): Promise<Marks> {
  const marks = admitMarks({ ...(await readMarks(folder, name)), ...Object(given) });
  const path = await folder.pathOf(name);
  const draft = join(path, `.${fileName}.${randomBytes(6).toString("hex")}`);
  await fs.writeFile(draft, `${JSON.stringify(marks)}\n`, { flag: "wx" });
  try {
    await fs.rename(draft, join(path, fileName));
  } catch (error) {
    await fs.rm(draft, { force: true });
    const { code } = error as NodeJS.ErrnoException;
    throw new Refusal(422, `${fileName} cannot be written (${code}): something else is in its place`);
  }
  return marks;
}

function admitMarks(given: unknown): Marks {
  const { tags = [], note = "" } = (given ?? {}) as Partial<Marks>;
  if (!Array.isArray(tags) || !tags.every((t) => typeof t === "string") || typeof note !== "string")
    throw new Refusal(400, "tags are a list of words, and a note is a text");
  if (note.length > 100_000 || tags.length > 100 || tags.some((t) => t.length > 100))
    throw new Refusal(413, "these are too many tags, or too long a note");
  const words = tags.map((t) => t.trim()).filter(Boolean);
  return { tags: [...new Set(words)], note };
}
