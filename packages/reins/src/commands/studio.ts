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
  port: whole("N", "port to listen on (default 4680, or a free port if it is in use)", 0, 65_535),
  host: text("ADDRESS", "address to listen on (default 127.0.0.1); 0.0.0.0 for access from other machines"),
  open: toggle("open the page in the browser"),
  recipes: text(
    "FOLDER",
    "folder of recipes to show; their code is executed (default: recipes/ of the repository)",
  ),
  tuning: text(
    "FOLDER",
    "folder of `reins tune` searches to show (default tuning/, beside the folder of runs)",
  ),
  export: text(
    "FOLDER",
    "write the recipes and the training page as static files and exit; runs are not exported",
  ),
};

/** `reins studio` */
export const command: Command = {
  usage: "studio [folder] [flags]",
  about: `Serves a web page on your runs: follow training, pause and change runs, compare them, replay recorded episodes, read transcripts of language models token by token, and train in the browser. The folder holds the runs (default runs). The server listens on this machine only, until Ctrl-C. Its address contains a token, so that other accounts cannot use it. If a studio is already open on the folder, its address is printed.`,
  groups: () => ({ Flags: flags }),
  examples: [
    ["reins studio --open", "all runs in runs/, in the browser"],
    ["reins studio ~/experiments --port 8000", "runs in another folder"],
    ["reins studio --host 0.0.0.0", "access from other machines"],
    ["reins studio --export site", "a static site with the recipes, without runs"],
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
      fail("studio", `the folder ${words[0]} does not exist. Runs are saved in ${root}/ by default.`);
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
        if (port !== undefined) fail("studio", `port ${port} is in use. Choose another: --port ${port + 1}.`);
        return openStudio({ ...options, port: 0 });
      },
    );
    const forget = noteStudio(studio.address, options.root);
    for (const address of reached(studio.address)) say(address, options.root, io);
    print(io.out, inkOf(io.out).dim("Press Ctrl-C to stop."));
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

/** The addresses of a studio; all addresses of this machine if it listens on 0.0.0.0. */
export function reached(address: string, networks = networkInterfaces()): readonly string[] {
  if (!/^http:\/\/(0\.0\.0\.0|\[::\]):/.test(address)) return [address];
  const found = Object.values(networks).flatMap((network) =>
    (network ?? []).flatMap(({ family, address: at, internal }) =>
      family === "IPv4" && !internal ? at : [],
    ),
  );
  return ["127.0.0.1", ...found].map((host) => address.replace(/\/\/(0\.0\.0\.0|\[::\])/, `//${host}`));
}

/** Opens a page in the default browser. Failures are ignored: the address is printed. */
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
