export { type LookupFacts, type LookupOptions, lookupNames, lookups } from "./lookups.ts";
