import { gaussian } from "./gaussian.ts";
import { halving } from "./halving.ts";
import { population } from "./population.ts";
import { randomSearch } from "./random.ts";

/** Search methods by name. */
export const searches = { random: randomSearch, asha: halving, pbt: population, gp: gaussian } as const;
/** The name of a search method. */
export type SearchName = keyof typeof searches;
