import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { published, root } from "./workspace.ts";

const load = (folder: string, file: string) =>
  import(/* @vite-ignore */ pathToFileURL(join(root, folder, file)).href) as Promise<object>;

describe("the bundles for Node", () => {
  const entries = published().flatMap(({ folder, manifest }) =>
    Object.entries(manifest.exports ?? {}).flatMap(([subpath, targets]) =>
      typeof targets === "object" && typeof targets.node === "string"
        ? [[manifest.name + subpath.slice(1), folder, targets.node, `${targets.default}`] as const]
        : [],
    ),
  );
  it("are built for every package except the recipes, whose files are looked up by path", () => {
    const joined = new Set(entries.map(([, folder]) => folder));
    expect(published().flatMap(({ folder }) => (joined.has(folder) ? [] : [folder]))).toEqual([
      "packages/recipes",
    ]);
  });
  // A page's worker starts to listen as soon as it is loaded.
  it.each(entries.filter(([name]) => name !== "reins/worker"))("%s", async (_, folder, joined, apart) => {
    const [a, b] = [await load(folder, joined), await load(folder, apart)];
    expect(Object.keys(a)).toEqual(Object.keys(b));
  });
  it("share chunks between a package's entries", async () => {
    const [tensor, assembler] = await Promise.all(
      ["index", "assembler"].map((name) => load("packages/tensor", `dist/packed/${name}.js`)),
    );
    const common = Object.keys(assembler).filter((name) => name in tensor);
    for (const name of common) expect(Reflect.get(tensor, name)).toBe(Reflect.get(assembler, name));
    const [whole, parts] = [
      await load("packages/reins", "dist/packed/index.js"),
      await import("@reins/core"),
    ];
    expect(Reflect.get(whole, "ReinsError")).toBe(parts.ReinsError);
    // One class and one registry, whichever entry imports them.
    const packed = (name: string) => load("packages/core", `dist/packed/${name}.js`);
    const [core, directory, metrics] = await Promise.all(["index", "directory", "metrics"].map(packed));
    expect(Reflect.get(directory, "LogSchedule")).toBe(Reflect.get(metrics, "LogSchedule"));
    const { DamagedDataError } = (await packed("errors")) as typeof import("@reins/core/errors");
    expect(new DamagedDataError("x")).toBeInstanceOf(Reflect.get(core, "ReinsError"));
  });
  it("include the programs", () => {
    for (const file of [
      "envs/dist/packed/thread.js",
      "envs/dist/packed/watchdog.js",
      "reins/dist/packed/main.js",
    ])
      expect(existsSync(join(root, "packages", file)), file).toBe(true);
  });
});
