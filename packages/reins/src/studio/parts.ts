import { execFile } from "node:child_process";
import type { StudioParts } from "@reins/studio";
import { askRun } from "../training/ask-run.ts";
import { recipeBook } from "./recipes.ts";

/** Milliseconds that a diagnosis may take: it brings a run back, and plays a round. And those that a run may take to answer. */
const patience = { diagnosis: 300_000, answer: 10_000 };

/** What the studio needs that the run directories themselves do not tell. */
export function studioParts(): StudioParts {
  return {
    ask: (path, command) => askRun(path, command, { patience: patience.answer }),
    recipes: recipeBook(),
    diagnose,
  };
}

/** In a process of its own, which does not stop the studio, and which refuses a run whose code nobody trusts. */
function diagnose(path: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const args = [process.argv[1], "diagnose", path, "--json"];
    execFile(
      process.execPath,
      args,
      { timeout: patience.diagnosis, maxBuffer: 16 << 20 },
      (error, out, err) => {
        if (error) return reject(new Error(err.trim().replace(/^reins: /, "") || error.message));
        resolve(JSON.parse(out.slice(out.indexOf("{"))));
      },
    );
  });
}
