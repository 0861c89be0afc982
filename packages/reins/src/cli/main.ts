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
    // A missing command is wrong usage.
    return name === undefined ? 2 : 0;
  }
  if (name === "--version" || name === "-v") {
    const { version } = await import("./version.ts");
    print(io.out, version());
    return 0;
  }
  const [wanted, ...given] = name === "help" ? [...rest, "--help"] : [name, ...rest];
  if (!Object.hasOwn(list, wanted)) {
    const { didYouMean } = await import("@reins/core/errors");
    const { usageError } = await import("./usage.ts");
    usageError(
      `unknown command ${wanted}.${didYouMean(wanted, Object.keys(list))} Run reins --help for a list.`,
    );
  }
  const { command } = await list[wanted].load();
  const end = given.indexOf("--");
  const options = end < 0 ? given : given.slice(0, end);
  if (options.includes("--help") || options.includes("-h")) {
    const known = (await command.named?.(given)) ?? given;
    print(io.out, helpOf(command, known, ink, widthFor(io.out)));
    return 0;
  }
  return (await command.run(given, io)) ?? 0;
}

/** Prints one message for errors that the user can act on, and a stack trace for bugs. REINS_DEBUG prints stack traces for all. */
async function report(error: unknown, io: Io): Promise<number> {
  if (!(error instanceof Error)) {
    print(io.err, `reins: ${error}`);
    return 1;
  }
  const { explain } = await import("./explain.ts");
  const message = process.env.REINS_DEBUG ? undefined : explain(error);
  const { stack } = error.cause instanceof Error ? error.cause : error;
  print(io.err, `reins: ${message ?? stack ?? error.message}`);
  return error.name === "UsageError" ? 2 : 1;
}
