/** `@reins/studio`: a local web page on a folder of runs. */

export type { StudioParts } from "./parts.ts";
export { openStudio, type Studio, type StudioOptions } from "./studio.ts";
export type { LiveState, Order } from "./wire.ts";
