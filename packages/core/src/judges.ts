export * from "./judge.ts";
export { allOrNothing } from "./judges/all-or-nothing.ts";
export { budgeted, formed, overlong, shorter } from "./judges/length.ts";
