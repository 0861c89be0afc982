import { type Dirent, promises as fs } from "node:fs";
import { basename, join, resolve } from "node:path";
import { large, openPlainFile } from "./plain-files.ts";
import { Refusal } from "./refusal.ts";

/** The folder of runs. Nothing outside of it is ever read: names are those that it lists, and links are not followed. */
export class RunsFolder {
  readonly root: string;

  constructor(root: string) {
    this.root = resolve(root);
  }

  /** Names of what may be runs: folders whose names do not begin with a point. */
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

  /** Where a run is. */
  async pathOf(name: string): Promise<string> {
    // What separates names depends on the system: elsewhere a run may be called `a\b`.
    if (basename(name) !== name || name.startsWith(".") || name === "") throw new Refusal(404, "no such run");
    const path = join(this.root, name);
    if (!(await isFolder(path))) throw new Refusal(404, "no such run");
    return path;
  }

  /** Where a folder of a run is; undefined if there is none. A link is refused. */
  async folderOf(name: string, part: string): Promise<string | undefined> {
    const path = join(await this.pathOf(name), part);
    const right = await isFolder(path);
    if (right === false) throw new Refusal(422, `${part} is not what it should be: a link, or no folder`);
    return right && path;
  }

  /** Does something with a file of a run, which may lie in a folder of it; undefined if there is none. Links are refused. */
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

  /** Where a run is in which nothing is a link, for those who would follow one. */
  async plainPathOf(name: string): Promise<string> {
    const path = await this.pathOf(name);
    for (const entry of await fs.readdir(path, { withFileTypes: true, recursive: true }))
      if (!entry.isFile() && !entry.isDirectory() && !entry.isSocket())
        throw new Refusal(422, `${entry.name} is a link, or no file: what uses the run would follow it`);
    return path;
  }

  /** Whether a run has a file of this name. */
  async has(name: string, file: string): Promise<boolean> {
    const found = await fs.lstat(join(await this.pathOf(name), file)).catch(() => undefined);
    return found?.isFile() ?? false;
  }

  /** A small file of a run as text; undefined if there is none. */
  async textOf(name: string, file: string): Promise<string | undefined> {
    return this.reading(name, [file], (opened) => opened.readFile("utf8"), large);
  }
}

/** Names in a folder; none where it is no folder, or a link. */
export const namesIn = async (path: string): Promise<string[]> =>
  (await isFolder(path)) ? fs.readdir(path) : [];

/** Whether a folder is one, and no link; undefined if there is nothing. */
const isFolder = (path: string): Promise<boolean | undefined> =>
  fs.lstat(path).then(
    (stat) => stat.isDirectory(),
    () => undefined,
  );
