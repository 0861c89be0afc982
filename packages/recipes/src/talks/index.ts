export { foraging, foragingMark } from "./foraging.ts";
export {
  byHeart,
  type LookupFacts,
  type LookupOptions,
  type LookupOutcome,
  lookupNames,
  lookups,
  paidForAnswer,
} from "./lookups.ts";
export { searching, searchMetrics } from "./searching.ts";
export { trainedOn } from "./trained-on.ts";
