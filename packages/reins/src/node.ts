/** What needs Node: directories and files. Loaded when it is used; in browsers `#node` is `browser.ts`. */
export { codeIn, RunDirectory } from "@reins/core/directory";
export { sourceFromModule } from "./places/module.ts";
export { taskNamed, textSource } from "./places/text/task.ts";
export { checkTarget, isTrusted, refuseCode } from "./places/trust.ts";
export { Keeper, keep } from "./training/keeper.ts";
