import { execFile } from "node:child_process";
import type { StudioParts } from "@reins/studio";
import { askRun } from "../training/ask-run.ts";
import { recipeBook } from "./recipes.ts";

/** Milliseconds that a diagnosis may take: it brings a run back, and plays a round. */
const patience = 300_000;

/** What the studio needs that the run directories themselves do not tell; `recipes` is a folder with a recipe book. */
export function studioParts(recipes?: string): StudioParts {
  return {
    ask: askRun,
    recipes: recipeBook(recipes),
    diagnose,
  };
}

/** In a process of its own, which does not stop the studio, and which refuses a run whose code nobody trusts. */
function diagnose(path: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const args = [process.argv[1], "diagnose", path, "--json"];
    execFile(process.execPath, args, { timeout: patience, maxBuffer: 16 << 20 }, (error, out, err) => {
      if (error) return reject(new Error(err.trim().replace(/^reins: /, "") || error.message));
      resolve(JSON.parse(out.slice(out.indexOf("{"))));
    });
  });
}
