import { execFile } from "node:child_process";

/** Milliseconds that a diagnosis may take: it brings a run back, and plays a round. */
const patience = 300_000;

/** The run that is looked at, and what will be found. */
let current: { readonly path: string; readonly found: Promise<unknown> } | undefined;

/** What is probably wrong with a run. One is looked at at a time: who asks for the same waits for the same. */
export async function diagnose(path: string): Promise<unknown> {
  if (current && current.path !== path)
    throw new Error("another run is being diagnosed: try again when that is done");
  current ??= {
    path,
    found: inProcess(path).finally(() => {
      current = undefined;
    }),
  };
  return current.found;
}

/** In a process of its own, which does not stop the studio, and which refuses a run whose code nobody trusts. */
function inProcess(path: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const args = [process.argv[1], "diagnose", path, "--json"];
    execFile(process.execPath, args, { timeout: patience, maxBuffer: 16 << 20 }, (error, out, err) => {
      if (error) return reject(new Error(err.trim().replace(/^reins: /, "") || error.message));
      try {
        resolve(JSON.parse(out.slice(out.indexOf("{"))));
      } catch {
        reject(new Error("the diagnosis ended without a word"));
      }
    });
  });
}
