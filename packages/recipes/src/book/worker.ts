import { serveTasks } from "../jobs/index.ts";
import type { Recipe } from "../recipe.ts";
import { loadEntry } from "./book.ts";
import { type Job, runTrial, type StoredOutcome } from "./trial.ts";

// A process of the pool: receives the recipe's file, then one job at a time.
const [file, cache] = process.argv.slice(2);
const loading = loadEntry(file);
serveTasks<Job, StoredOutcome>(async (job) => runTrial((await loading) as Recipe, job, cache));
