import { type Dirent, promises as fs } from "node:fs";
import { basename, join, resolve } from "node:path";
import { large, openPlainFile } from "./plain-files.ts";
import { Refusal } from "./refusal.ts";

/** The folder of runs. Nothing outside of it is read: only listed names are accepted, and links are not followed. */
export class RunsFolder {
  readonly root: string;

  constructor(root: string) {
    this.root = resolve(root);
  }

  /** Names of possible runs: folders whose names do not start with a dot. */
  async names(): Promise<string[]> {
    let found: Dirent[] = [];
    try {
      found = await fs.readdir(this.root, { withFileTypes: true });
    } catch (error) {
      // A folder that does not exist yet holds no runs.
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
    return found.filter((e) => e.isDirectory() && !e.name.startsWith(".")).map((e) => e.name);
  }

  /** The path of a run. */
  async pathOf(name: string): Promise<string> {
    // On Linux a run may be called `a\b`.
    if (basename(name) !== name || name.startsWith(".") || name === "") throw new Refusal(404, "no such run");
    const path = join(this.root, name);
    if (!(await isFolder(path))) throw new Refusal(404, "no such run");
    return path;
  }

  /** The path of a folder of a run; undefined if it does not exist. Links are refused. */
  async folderOf(name: string, part: string): Promise<string | undefined> {
    const path = join(await this.pathOf(name), part);
    const right = await isFolder(path);
    if (right === false) throw new Refusal(422, `${part} must be a folder, not a link or file`);
    return right && path;
  }

  /** Opens a file of a run, or of one of its folders, for an action; undefined if it does not exist. Links are refused. */
  async reading<T>(
    name: string,
    parts: readonly [string] | readonly [string, string],
    action: (file: fs.FileHandle) => Promise<T>,
    most?: number,
  ): Promise<T | undefined> {
    const [part, inner] = parts;
    const above = inner === undefined ? await this.pathOf(name) : await this.folderOf(name, part);
    const file = above === undefined ? undefined : await openPlainFile(join(above, inner ?? part), most);
    try {
      return file && (await action(file));
    } finally {
      await file?.close();
    }
  }

  /** The path of a run without links, for processes that would follow them. */
  async plainPathOf(name: string): Promise<string> {
    const path = await this.pathOf(name);
    for (const entry of await fs.readdir(path, { withFileTypes: true, recursive: true }))
      if (!entry.isFile() && !entry.isDirectory() && !entry.isSocket())
        throw new Refusal(
          422,
          `${entry.name} must be a plain file or folder, because links would be followed. Remove it`,
        );
    return path;
  }

  /** Whether a run has a file of this name. */
  async has(name: string, file: string): Promise<boolean> {
    const found = await fs.lstat(join(await this.pathOf(name), file)).catch(() => undefined);
    return found?.isFile() ?? false;
  }

  /** A small file of a run as text; undefined if it does not exist. */
  async textOf(name: string, file: string): Promise<string | undefined> {
    return this.reading(name, [file], (opened) => opened.readFile("utf8"), large);
  }
}

/** Names in a folder; empty if it is a link or not a folder. */
export const namesIn = async (path: string): Promise<string[]> =>
  (await isFolder(path)) ? fs.readdir(path) : [];

/** Whether a path is a folder and not a link; undefined if it does not exist. */
const isFolder = (path: string): Promise<boolean | undefined> =>
  fs.lstat(path).then(
    (stat) => stat.isDirectory(),
    () => undefined,
  );
