import { serveTasks } from "@reins/recipes/jobs";
import { type PieceSetup, type Work, workOn } from "./work.ts";

/** A process that trains pieces of trials in turn. Its argument is their common setup. */
const setup = JSON.parse(process.argv[2]) as PieceSetup;
serveTasks((work: Work) => workOn(setup, work));
