import { relative, resolve, sep } from "node:path";
import { noMore, readArguments } from "../cli/arguments.ts";
import type { Command } from "../cli/command.ts";
import { text } from "../cli/flags.ts";
import { misuse } from "../cli/usage.ts";
import { print } from "../terminal/io.ts";
import { copyModules } from "./importmap/copy.ts";
import { importMap, installedIn } from "./importmap/map.ts";

const flags = {
  root: text("PATH", "the folder that is served, with node_modules in it (default: this one)"),
  copy: text("PATH", "a folder in it for copies of all modules, which workers can import, too"),
};

/** `reins importmap` */
export const command: Command = {
  usage: "importmap [flags]",
  about: `Prints the import map of a page that takes reins from node_modules without a bundler: put it into <script type="importmap">. Workers have no import maps: with --copy, all that browsers need is copied into a folder, with places instead of names, and the map leads there; workers import the files.`,
  groups: () => ({ Flags: flags }),
  examples: [
    ["reins importmap", "for pages that may read node_modules"],
    ["reins importmap --copy public/reins --root public", "for workers, and to be put on a server"],
  ],
  async run(args, io) {
    const { words, flags: given } = readArguments(args, flags, { command: "importmap" });
    noMore(words, 0, "importmap");
    const root = resolve(given.root ?? ".");
    const packages = installedIn(root);
    if (given.copy === undefined) {
      const outside = packages.find(({ folder }) => folder.startsWith(".."));
      if (outside)
        misuse(
          `${outside.manifest.name} is in ${resolve(root, outside.folder)}, outside of what is served. Add --copy ${given.root ?? "."}/reins, or serve the folder that has node_modules.`,
        );
      print(io.out, JSON.stringify(importMap(packages), null, 2));
      return 0;
    }
    const target = resolve(given.copy);
    const address = relative(root, target).split(sep).join("/");
    if (address.startsWith(".."))
      misuse(`${target} is outside of what is served, ${root}. Name that by --root, or copy into it.`);
    const files = copyModules(root, packages, target);
    const imports = Object.fromEntries(
      Object.entries(files).map(([name, file]) => [name, `/${address}/${file}`]),
    );
    print(io.out, JSON.stringify({ imports }, null, 2));
    return 0;
  },
};
