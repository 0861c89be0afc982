/** Flags of the main program only: its code, and its inspector port. */
const own = /^(--eval|-e|--print|-p|-pe|--input-type|--inspect.*|--conditions=source)(=.*)?$/;
/** Flags whose value is a separate argument. */
const withValue = new Set(["--eval", "-e", "--print", "-p", "-pe", "--input-type"]);

/**
 * The flags of this process for workers. Tests resolve sources by a condition, but workers run built files: Node
 * does not run TypeScript.
 */
export function workerFlags(given: readonly string[] = process.execArgv): string[] {
  return given.filter((flag, i) => {
    if (own.test(flag) || withValue.has(given[i - 1] ?? "")) return false;
    const sources = flag === "--conditions" ? given[i + 1] : given[i - 1] === "--conditions" ? flag : "";
    return sources !== "source";
  });
}
