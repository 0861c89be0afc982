import { closeTasks } from "../places/close-tasks.ts";
import { type Io, inkOf, print, widthFor } from "../terminal/io.ts";
import { helpOf, overview } from "./help.ts";
import { list } from "./list.ts";

/** Runs one command line; resolves to its exit code: 0 for success, 1 for failure, 2 for wrong usage. */
export async function main(args: readonly string[], io: Io): Promise<number> {
  try {
    return await dispatch(args, io);
  } catch (error) {
    return await report(error, io);
  } finally {
    await closeTasks();
  }
}

async function dispatch([name, ...rest]: readonly string[], io: Io): Promise<number> {
  const ink = inkOf(io.out);
  if (name === undefined || name === "--help" || name === "-h" || (name === "help" && !rest.length)) {
    print(io.out, overview(ink));
    // Nothing asked for is a question; nothing typed right is not a failure of the program.
    return name === undefined ? 2 : 0;
  }
  if (name === "--version" || name === "-v") {
    const { version } = await import("./version.ts");
    print(io.out, version());
    return 0;
  }
  const [wanted, ...given] = name === "help" ? [...rest, "--help"] : [name, ...rest];
  if (!Object.hasOwn(list, wanted)) {
    const { didYouMean } = await import("@reins/core");
    const { misuse } = await import("./usage.ts");
    misuse(
      `there is no command ${wanted}.${didYouMean(wanted, Object.keys(list))} Type reins --help for all of them.`,
    );
  }
  const { command } = await list[wanted].load();
  const end = given.indexOf("--");
  const asked = end < 0 ? given : given.slice(0, end);
  if (asked.includes("--help") || asked.includes("-h")) {
    const known = (await command.named?.(given)) ?? given;
    print(io.out, helpOf(command, known, ink, widthFor(io.out)));
    return 0;
  }
  return (await command.run(given, io)) ?? 0;
}

/** Errors that people can act on are one message; others are bugs, and where they arose matters. REINS_DEBUG shows that of all. */
async function report(error: unknown, io: Io): Promise<number> {
  if (!(error instanceof Error)) {
    print(io.err, `reins: ${error}`);
    return 1;
  }
  const { explain } = await import("./explain.ts");
  const words = process.env.REINS_DEBUG ? undefined : explain(error);
  const { stack } = error.cause instanceof Error ? error.cause : error;
  print(io.err, `reins: ${words ?? stack ?? error.message}`);
  return error.name === "UsageError" ? 2 : 1;
}
