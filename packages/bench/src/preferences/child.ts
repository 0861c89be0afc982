import { serveTasks } from "@reins/recipes/jobs";
import { perform } from "./job.ts";

/** Runs jobs as they come. */
serveTasks(perform);
