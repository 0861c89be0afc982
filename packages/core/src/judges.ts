export * from "./judge.ts";
export { allOrNothing } from "./judges/all-or-nothing.ts";
export { gate, grouped, sumOf } from "./judges/combine.ts";
export { budgetPenalty, formatReward, lengthPenalty, overlongPenalty } from "./judges/length.ts";
export { type Preference, type WinRateOptions, winRate } from "./judges/win-rate.ts";
