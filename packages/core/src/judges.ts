export * from "./judge.ts";
export { allOrNothing } from "./judges/all-or-nothing.ts";
export { gate, grouped, sumOf } from "./judges/combine.ts";
export { budgeted, formed, overlong, shorter } from "./judges/length.ts";
