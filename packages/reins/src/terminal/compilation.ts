import { onCompile } from "@reins/tensor";
import { inkOf, type Output } from "./io.ts";

/**
 * Shows on the current line of a terminal which function is being compiled: the first update of a run can take seconds. Prints nothing to
 * files and pipes. Returns a function that stops it.
 */
export function showCompiling(out: Output): () => void {
  if (!out.isTTY) return () => {};
  const ink = inkOf(out);
  return onCompile((name) => {
    out.write(`\r\x1b[K${ink.dim(`compiling ${name} …`)}`);
    return () => void out.write("\r\x1b[K");
  });
}
