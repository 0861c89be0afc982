import { serveTasks } from "@reins/recipes/jobs";
import { type PieceSetup, type Work, workOn } from "./work.ts";

/** A process that trains pieces of trials, one after another. What they have in common is its argument. */
const setup = JSON.parse(process.argv[2]) as PieceSetup;
serveTasks((work: Work) => workOn(setup, work));
