import { cache } from "./cache.ts";
import type { Campaign } from "./campaign.ts";
import { damage } from "./damage.ts";
import { disk } from "./disk.ts";
import { hostile } from "./hostile.ts";
import { kill } from "./kill.ts";
import { lock } from "./lock.ts";
import { requests } from "./requests.ts";
import { sandboxes } from "./sandboxes.ts";

/** All campaigns, in the order in which they run. */
export const campaigns: readonly Campaign[] = [kill, disk, damage, lock, cache, hostile, requests, sandboxes];
