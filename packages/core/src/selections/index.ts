export { inOrder } from "./in-order.ts";
export { informative } from "./informative.ts";
export { lasting } from "./lasting.ts";
export { successes } from "./successes.ts";
export { watched } from "./watched.ts";
