/** Option rows shared by several methods; only the defaults differ. */

export * from "./options/learning.ts";
export * from "./options/memory.ts";
export * from "./options/networks.ts";
export * from "./options/on-policy.ts";
export * from "./options/replay.ts";
export * from "./options/self-imitation.ts";
