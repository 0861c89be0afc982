import { execFile } from "node:child_process";

/** Timeout of a diagnosis in milliseconds: it restores a run, and plays a round. */
const patience = 300_000;

/** The run being diagnosed, and its pending result. */
let current: { readonly path: string; readonly found: Promise<unknown> } | undefined;

/** Diagnoses a run. Only one is diagnosed at a time; concurrent requests for the same run share the result. */
export async function diagnose(path: string): Promise<unknown> {
  if (current && current.path !== path)
    throw new Error("another run is being diagnosed. Try again when it has finished");
  current ??= {
    path,
    found: inProcess(path).finally(() => {
      current = undefined;
    }),
  };
  return current.found;
}

/** Runs in a separate process, which does not block the studio, and which refuses a run with untrusted code. */
function inProcess(path: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const args = [process.argv[1], "diagnose", path, "--json"];
    execFile(process.execPath, args, { timeout: patience, maxBuffer: 16 << 20 }, (error, out, err) => {
      if (error) return reject(new Error(err.trim().replace(/^reins: /, "") || error.message));
      try {
        resolve(JSON.parse(out.slice(out.indexOf("{"))));
      } catch {
        reject(new Error("the diagnosis ended without a result"));
      }
    });
  });
}
