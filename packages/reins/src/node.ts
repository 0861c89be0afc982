/** What needs Node: directories and files. Loaded when it is used; in browsers `#node` is `browser.ts`. */
export { resolve } from "node:path";
export { codeIn, RunDirectory } from "@reins/core/directory";
export { Keeper } from "./keeper.ts";
export { sourceFromModule } from "./module.ts";
export { taskNamed, textSource } from "./text.ts";
export { checkTarget, isTrusted, noteTarget, refuseCode } from "./trust.ts";
