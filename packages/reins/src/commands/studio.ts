import { spawn } from "node:child_process";
import { statSync } from "node:fs";
import { networkInterfaces } from "node:os";
import { dirname, join } from "node:path";
import { fail } from "@reins/core";
import { noMore, readArguments } from "../cli/arguments.ts";
import type { Command } from "../cli/command.ts";
import { root } from "../cli/find-run.ts";
import { text, toggle, whole } from "../cli/flags.ts";
import { listenForInterrupt } from "../cli/interrupt.ts";
import { notInstalled } from "../places/optional.ts";
import { exportSite } from "../studio/export-site.ts";
import { noteStudio, openStudioOn, pageTo } from "../studio/open-studios.ts";
import { studioParts } from "../studio/parts.ts";
import { recipeBook } from "../studio/recipes.ts";
import { type Io, inkOf, print } from "../terminal/io.ts";

const flags = {
  port: whole("N", "port to listen at (default 4680, or a free one if that is taken)", 0, 65_535),
  host: text("ADDRESS", "address to listen at (default 127.0.0.1); 0.0.0.0 for other machines too"),
  open: toggle("open the page in the browser"),
  recipes: text(
    "FOLDER",
    "a recipe book to show, whose recipes are run to be read (default that of the project Reins is in)",
  ),
  tuning: text("FOLDER", "searches of `reins tune` to show (default tuning, beside the folder of runs)"),
  export: text(
    "FOLDER",
    "write the recipes and the page that trains as plain files, and end; runs stay here",
  ),
};

/** `reins studio` */
export const command: Command = {
  usage: "studio [folder] [flags]",
  about: `A page on your runs: see them learn, pause and change them, compare them, watch recorded episodes, read what language models wrote token by token, and train in the browser. The folder is that of the runs (default runs). It listens on this machine alone, until Ctrl-C, and its address has a token, so that other accounts cannot use it. If a studio of yours is already open on the folder, its address is printed.`,
  groups: () => ({ Flags: flags }),
  examples: [
    ["reins studio --open", "all runs in runs/, in the browser"],
    ["reins studio ~/experiments --port 8000", "runs that lie elsewhere"],
    ["reins studio --host 0.0.0.0", "for other machines too"],
    ["reins studio --export site", "a site for any server of files, with the recipes; it shows no runs"],
  ],
  async run(args, io) {
    const { words, flags: given } = readArguments(args, flags, { command: "studio" });
    noMore(words, given.export === undefined ? 1 : 0, "studio");
    const { openStudio, writeSite } = await import("@reins/studio").catch(
      notInstalled("@reins/studio", "studio"),
    );
    const { port, host, open, recipes, tuning, export: site } = given;
    if (site !== undefined) {
      await exportSite(site, recipeBook(recipes), writeSite, io);
      return 0;
    }
    if (words[0] !== undefined && !statSync(words[0], { throwIfNoEntry: false })?.isDirectory())
      fail("studio", `there is no folder ${words[0]}. Runs are in ${root}/ unless they were kept elsewhere.`);
    const options = {
      root: words[0] ?? root,
      ...(host === undefined ? {} : { host }),
      parts: studioParts({ recipes, tunings: tuning ?? join(dirname(words[0] ?? root), "tuning") }),
    };
    if (port === undefined && host === undefined && recipes === undefined) {
      const address = await openStudioOn(options.root);
      if (address !== undefined) {
        print(io.out, `Reins Studio is already open on ${options.root}: ${inkOf(io.out).bold(address)}`);
        if (open) show(pageTo(address, options.root));
        return 0;
      }
    }
    const interrupt = listenForInterrupt();
    const studio = await openStudio({ ...options, ...(port === undefined ? {} : { port }) }).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code !== "EADDRINUSE") throw error;
        if (port !== undefined) fail("studio", `port ${port} is taken. Name another: --port ${port + 1}.`);
        return openStudio({ ...options, port: 0 });
      },
    );
    const forget = noteStudio(studio.address, options.root);
    for (const address of reached(studio.address)) say(address, options.root, io);
    print(io.out, inkOf(io.out).dim("Ctrl-C ends it."));
    if (open) show(pageTo(studio.address, options.root));
    while (interrupt.code === undefined) await new Promise((done) => setTimeout(done, 100));
    interrupt.off();
    forget();
    await studio.close();
    return 0;
  },
};

function say(address: string, folder: string, io: Io): void {
  const ink = inkOf(io.out);
  print(io.out, `Reins Studio on ${folder}: ${ink.bold(address)}`);
}

/** Addresses that others can open, where a studio listens at all that this machine has. */
export function reached(address: string, networks = networkInterfaces()): readonly string[] {
  if (!/^http:\/\/(0\.0\.0\.0|\[::\]):/.test(address)) return [address];
  const found = Object.values(networks).flatMap((network) =>
    (network ?? []).flatMap(({ family, address: at, internal }) =>
      family === "IPv4" && !internal ? at : [],
    ),
  );
  return ["127.0.0.1", ...found].map((host) => address.replace(/\/\/(0\.0\.0\.0|\[::\])/, `//${host}`));
}

/** Opens a page in the browser of the system; where that fails, the address was printed. */
function show(page: string): void {
  const [program, ...args] =
    process.platform === "darwin"
      ? ["open"]
      : process.platform === "win32"
        ? ["cmd", "/c", "start", ""]
        : ["xdg-open"];
  const child = spawn(program, [...args, page], { stdio: "ignore", detached: true });
  child.on("error", () => {});
  child.unref();
}
