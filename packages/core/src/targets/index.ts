export { discountedReturns, type GaeOptions, gae } from "./gae.ts";
