import { relative, resolve, sep } from "node:path";
import { noMore, readArguments } from "../cli/arguments.ts";
import type { Command } from "../cli/command.ts";
import { text } from "../cli/flags.ts";
import { usageError } from "../cli/usage.ts";
import { print } from "../terminal/io.ts";
import { copyModules } from "./importmap/copy.ts";
import { importMap, installedIn } from "./importmap/map.ts";

const flags = {
  root: text("PATH", "the web root, with node_modules in it (default: the current directory)"),
  copy: text("PATH", "copy all modules into this folder of the web root, so that workers can import them"),
};

/** `reins importmap` */
export const command: Command = {
  usage: "importmap [flags]",
  about: `Prints an import map for pages that load reins from node_modules without a bundler: put it into <script type="importmap">. Workers do not support import maps: with --copy, the modules that browsers need are copied into a folder with relative imports, the map points to them, and workers import the files directly.`,
  groups: () => ({ Flags: flags }),
  examples: [
    ["reins importmap", "for pages that can load node_modules"],
    ["reins importmap --copy public/reins --root public", "for workers and for deployment"],
  ],
  async run(args, io) {
    const { words, flags: given } = readArguments(args, flags, { command: "importmap" });
    noMore(words, 0, "importmap");
    const root = resolve(given.root ?? ".");
    const packages = installedIn(root);
    if (given.copy === undefined) {
      const outside = packages.find(({ folder }) => folder.startsWith(".."));
      if (outside)
        usageError(
          `${outside.manifest.name} is in ${resolve(root, outside.folder)}, outside of the web root. Add --copy ${given.root ?? "."}/reins, or serve the folder that contains node_modules.`,
        );
      print(io.out, JSON.stringify(importMap(packages), null, 2));
      return 0;
    }
    const target = resolve(given.copy);
    const address = relative(root, target).split(sep).join("/");
    if (address.startsWith(".."))
      usageError(
        `${target} is outside of the web root ${root}. Change --root, or copy to a folder inside it.`,
      );
    const files = copyModules(root, packages, target);
    const imports = Object.fromEntries(
      Object.entries(files).map(([name, file]) => [name, `/${address}/${file}`]),
    );
    print(io.out, JSON.stringify({ imports }, null, 2));
    return 0;
  },
};
