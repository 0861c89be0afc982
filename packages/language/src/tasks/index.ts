export * from "./numbers/index.ts";
export * from "./texts/index.ts";
