/**
 * `@reins/studio/wire`: what the server and its page share. The types of the routes, and the few functions that both sides must
 * compute alike. It needs no Node.
 */

export type * from "./recipe-wire.ts";
export { runSettings } from "./run-settings.ts";
export * from "./run-wire.ts";
export { settingText } from "./setting-text.ts";
export { shellQuote } from "./shell-quote.ts";
export type { StartPlan, StartRequest } from "./start.ts";
export { isTar, tarOf, untarred } from "./tar.ts";
export { isSampled, isTrained } from "./token-makers.ts";
export type * from "./tuning-wire.ts";
