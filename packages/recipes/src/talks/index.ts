export { type RoomsOptions, type RoomsState, rooms, roomsTask } from "./rooms.ts";
export { type PaidTalk, paid, paidTurns } from "./paid.ts";
export { tableSides, textOnly } from "./table-sides.ts";
export {
  type TableName,
  type TableOptions,
  type TableQuestion,
  tableNames,
  tableQuestions,
} from "./tables.ts";
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
