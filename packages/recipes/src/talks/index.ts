export { type LookupFacts, type LookupOptions, lookupNames, lookups } from "./lookups.ts";
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
