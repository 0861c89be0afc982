export { type LookupFacts, type LookupOptions, lookupNames, lookups } from "./lookups.ts";
export { type RoomsOptions, type RoomsState, rooms, roomsTask } from "./rooms.ts";
