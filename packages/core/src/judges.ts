export * from "./judge.ts";
export { budgeted, formed, overlong, shorter } from "./judges/length.ts";
