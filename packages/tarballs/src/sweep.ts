import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/** Deletes what earlier builds left in `dist`: files whose source is gone, which would be packed. Returns how many there were. */
export function sweep(folder: string): number {
  const dist = join(folder, "dist");
  if (!existsSync(dist)) return 0;
  const left = readdirSync(dist, { recursive: true, encoding: "utf8" }).filter((path) => {
    // What was joined for Node, and a page, have no source of their own.
    const name = /^(?!packed\/|web\/)(.+?)(?:\.js|\.d\.ts)(?:\.map)?$/.exec(path)?.[1];
    return name !== undefined && !existsSync(join(folder, "src", `${name}.ts`));
  });
  for (const path of left) rmSync(join(dist, path));
  return left.length;
}
