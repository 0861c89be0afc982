/** What needs Node: directories and files. Loaded when it is used; in browsers `#node` is `browser.ts`. */
export { codeIn, RunDirectory } from "@reins/core/directory";
export { Keeper } from "./keeper.ts";
export { sourceFromModule } from "./module.ts";
export { taskNamed, textSource } from "./text.ts";
export { isTrusted, refuseCode } from "./trust.ts";
