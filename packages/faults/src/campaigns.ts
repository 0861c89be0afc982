import type { Campaign } from "./campaign.ts";
import { kill } from "./kill.ts";

/** All campaigns, in the order in which they run. */
export const campaigns: readonly Campaign[] = [kill];
