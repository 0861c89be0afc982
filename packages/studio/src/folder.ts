import { type Dirent, promises as fs } from "node:fs";
import { join, resolve } from "node:path";
import { Refusal } from "./refusal.ts";

/** Files of a run larger than this are not read as a whole. */
export const large = 16 << 20;

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
    if (/[/\\\0]/.test(name) || name.startsWith(".") || name === "") throw new Refusal(404, "no such run");
    const path = join(this.root, name);
    const found = await fs.lstat(path).catch(() => undefined);
    if (!found?.isDirectory()) throw new Refusal(404, "no such run");
    return path;
  }

  /** Where a file of a run is; undefined if there is none. Links are refused, in the run's own folders too. */
  async fileOf(name: string, ...parts: readonly string[]): Promise<string | undefined> {
    let path = await this.pathOf(name);
    for (const [i, part] of parts.entries()) {
      path = join(path, part);
      const found = await fs.lstat(path).catch(() => undefined);
      if (!found) return undefined;
      const right = i < parts.length - 1 ? found.isDirectory() : found.isFile();
      if (!right) throw new Refusal(422, `${part} is not what it should be: a link, or no file`);
    }
    return path;
  }

  /** A small file of a run as text; undefined if there is none. */
  async textOf(name: string, ...parts: readonly string[]): Promise<string | undefined> {
    const path = await this.fileOf(name, ...parts);
    if (path === undefined) return undefined;
    const { size } = await fs.stat(path);
    if (size > large) throw new Refusal(422, `${parts.join("/")} has ${size} bytes, which is too much`);
    return fs.readFile(path, "utf8");
  }
}
