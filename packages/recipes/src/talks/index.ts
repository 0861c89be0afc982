export { counsel, counselNames, counselPrice, type Session } from "./counsel.ts";
export {
  byHeart,
  type LookupFacts,
  type LookupOptions,
  type LookupOutcome,
  lookupNames,
  lookups,
  paidForAnswer,
} from "./lookups.ts";
export { type ModeQuestion, modeLetters, modeOf, modes } from "./modes.ts";
export { type PaidTalk, paid, paidTurns } from "./paid.ts";
export { type RoomsOptions, type RoomsState, rooms, roomsTask } from "./rooms.ts";
export { searching, searchMetrics } from "./searching.ts";
export { type FactStream, facts, type StreamOptions, streams } from "./streams.ts";
export { tableSides, textOnly } from "./table-sides.ts";
export {
  type TableName,
  type TableOptions,
  type TableQuestion,
  tableNames,
  tableQuestions,
} from "./tables.ts";
export { trainedOn } from "./trained-on.ts";
export { within } from "./within.ts";
