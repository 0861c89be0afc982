export { counsel, counselNames, counselPrice, type Session } from "./counsel.ts";
export { type LookupFacts, type LookupOptions, lookupNames, lookups } from "./lookups.ts";
export { type FactStream, facts, type StreamOptions, streams } from "./streams.ts";
