export { chargedForMode, costed, modesTask } from "./adaptive-modes.ts";
export { counsel, counselNames, counselPrice, type Session } from "./counsel.ts";
export { comparedByKind, foraging, informationGain } from "./foraging.ts";
export { inTurns } from "./in-turns.ts";
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
export { type Expression, type OrdersOptions, orders, ordersTask } from "./orders.ts";
export { type PaidTalk, paid, paidTurns } from "./rewards.ts";
export { type RoomsOptions, type RoomsState, rooms, roomsMetrics, roomsTask, shortRooms } from "./rooms.ts";
export { searching, searchMetrics } from "./searching.ts";
export { formed, recalled, selfSearched, selfSearching } from "./self-search.ts";
export { shownRight } from "./shown-right.ts";
export { type Documents, type SourcesOptions, sources, sourcesTask } from "./sources.ts";
export { type FactStream, facts, type StreamOptions, streams } from "./streams.ts";
export { tableSides, textOnly } from "./table-sides.ts";
export {
  type TableName,
  type TableOptions,
  type TableQuestion,
  tableNames,
  tableQuestions,
} from "./tables.ts";
export { type Trail, type TrailOptions, trails, trailTask } from "./trails.ts";
export { trainedOn } from "./trained-on.ts";
export { within } from "./within.ts";
