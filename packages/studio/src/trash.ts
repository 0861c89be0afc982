import { promises as fs } from "node:fs";
import { join } from "node:path";
import { holdsRun } from "@reins/core/directory";
import type { RunsFolder } from "./folder.ts";
import { runReader } from "./plain-files.ts";
import { Refusal } from "./refusal.ts";

/** The folder for deleted runs. */
const trashName = ".deleted";

/** The path of deleted runs; undefined if there are none. A link is refused, since its target is outside the folder of runs. */
async function trashIn({ root }: RunsFolder): Promise<string | undefined> {
  const path = join(root, trashName);
  const found = await fs.lstat(path).catch(() => undefined);
  if (found && !found.isDirectory())
    throw new Refusal(
      422,
      `${trashName} must be a folder, not a link or file: move it away, then delete runs`,
    );
  return found && path;
}

/** Names of deleted runs. */
export async function deletedRuns(folder: RunsFolder): Promise<string[]> {
  const trash = await trashIn(folder).catch(() => undefined);
  if (trash === undefined) return [];
  const found = await fs.readdir(trash, { withFileTypes: true }).catch(() => []);
  return found.filter((e) => e.isDirectory()).map((e) => e.name);
}

/** Moves a run to the deleted ones. */
export async function deleteRun(folder: RunsFolder, name: string): Promise<void> {
  const path = await folder.pathOf(name);
  if (!holdsRun(path, runReader))
    throw new Refusal(409, "not a run directory (no config.json): remove it by hand");
  const trash = (await trashIn(folder)) ?? join(folder.root, trashName);
  await fs.mkdir(trash, { recursive: true });
  if (await exists(join(trash, name)))
    throw new Refusal(409, "a run of this name was deleted before: restore it, or delete it permanently");
  await fs.rename(path, join(trash, name));
}

/** Restores a deleted run. */
export async function restoreRun(folder: RunsFolder, name: string): Promise<void> {
  await inTrash(folder, name);
  if (await exists(join(folder.root, name)))
    throw new Refusal(409, "a run of this name exists: rename or delete it first");
  await fs.rename(join(folder.root, trashName, name), join(folder.root, name)).catch((error) => {
    // Another request was faster.
    throw error.code === "ENOENT" ? new Refusal(404, "no such deleted run") : error;
  });
}

/** Deletes a deleted run permanently. */
export async function purgeRun(folder: RunsFolder, name: string): Promise<void> {
  await inTrash(folder, name);
  await fs.rm(join(folder.root, trashName, name), { recursive: true });
}

async function inTrash(folder: RunsFolder, name: string): Promise<void> {
  if (!(await deletedRuns(folder)).includes(name)) throw new Refusal(404, "no such deleted run");
}

const exists = (path: string) =>
  fs.lstat(path).then(
    () => true,
    () => false,
  );
