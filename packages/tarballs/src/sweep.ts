import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/** Deletes stale files of earlier builds from `dist`, whose sources no longer exist and which would be packed. Returns their number. */
export function sweep(folder: string): number {
  const dist = join(folder, "dist");
  if (!existsSync(dist)) return 0;
  const left = readdirSync(dist, { recursive: true, encoding: "utf8" }).filter((path) => {
    // Bundles for Node, and a page, have no source of the same name.
    const name = /^(?!packed\/|web\/)(.+?)(?:\.js|\.d\.ts)(?:\.map)?$/.exec(path)?.[1];
    return name !== undefined && !existsSync(join(folder, "src", `${name}.ts`));
  });
  for (const path of left) rmSync(join(dist, path));
  return left.length;
}
