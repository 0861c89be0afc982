import type { Recipe } from "../recipe.ts";
import { loadEntry } from "./book.ts";
import type { Answer } from "./pool.ts";
import { type Job, runTrial } from "./trial.ts";

// A process of the pool: gets the recipe's file, then one job at a time.
const [file, cache] = process.argv.slice(2);
const recipe = (await loadEntry(file)) as Recipe;

process.on("message", async (job: Job) => {
  let answer: Answer;
  try {
    answer = { outcome: await runTrial(recipe, job, cache) };
  } catch (error) {
    answer = { error: (error as Error).stack ?? String(error) };
  }
  process.send!(answer);
});
process.on("disconnect", () => process.exit());
