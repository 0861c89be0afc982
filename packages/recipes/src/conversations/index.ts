export { modePenalty, modesTask, withCost } from "./adaptive-modes.ts";
export { alternateRoles } from "./alternate-roles.ts";
export { correctDemonstrations } from "./correct-demonstrations.ts";
export { counsel, counselNames, counselPrice, type Session } from "./counsel.ts";
export { foraging, informationGain, standardisedByKind } from "./foraging.ts";
export {
  answerReward,
  fromMemory,
  type LookupFacts,
  type LookupOptions,
  type LookupOutcome,
  lookupNames,
  lookups,
} from "./lookups.ts";
export { type ModeQuestion, modeLetters, modeOf, modes } from "./modes.ts";
export { type Expression, type OrdersOptions, orders, ordersTask } from "./orders.ts";
export { withReserve } from "./reserve.ts";
export { type RewardedConversation, withRewards, withTurnRewards } from "./rewards.ts";
export { type RoomsOptions, type RoomsState, rooms, roomsMetrics, roomsTask, shortRooms } from "./rooms.ts";
export { searching, searchMetrics } from "./search.ts";
export { formed, recalled, selfSearched, selfSearching } from "./self-search.ts";
export { type Documents, type SourcesOptions, sources, sourcesTask } from "./sources.ts";
export { type FactStream, facts, type StreamOptions, streams } from "./streams.ts";
export { tableArms, textOnly } from "./table-arms.ts";
export {
  type QuestionTableOptions,
  type TableName,
  type TableQuestion,
  tableNames,
  tableQuestions,
} from "./tables.ts";
export { type Trail, type TrailOptions, trails, trailTask } from "./trails.ts";
export { trainOn } from "./train-on.ts";
