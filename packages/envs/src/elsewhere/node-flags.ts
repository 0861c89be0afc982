/** Flags that belong to the program that was started and to nobody else: its code, and the port of its inspector. */
const own = /^(--eval|-e|--print|-p|-pe|--input-type|--inspect.*|--conditions=source)(=.*)?$/;
/** Those whose value is an argument of its own. */
const withValue = new Set(["--eval", "-e", "--print", "-p", "-pe", "--input-type"]);

/** The flags of this process for workers. Tests find sources by a condition, and workers run what is built: Node runs no TypeScript. */
export function workerFlags(given: readonly string[] = process.execArgv): string[] {
  return given.filter((flag, i) => {
    if (own.test(flag) || withValue.has(given[i - 1] ?? "")) return false;
    const sources = flag === "--conditions" ? given[i + 1] : given[i - 1] === "--conditions" ? flag : "";
    return sources !== "source";
  });
}
