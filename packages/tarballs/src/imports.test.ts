import { expect, it } from "vitest";
import { importsOf, packageOf } from "./imports.ts";

it("finds imports in every form, and none in comments or strings", () => {
  const text = `import a from "a";
import b, { type c } from "b/c";
import "d";
import type { e } from "@e/f";
export * from "./g.ts";
export * as h from "h";
export {
  i,
  j,
} from "./i.js";
const k = await import("k").catch(() => {});
export declare const l: import("l").L;
export const m = "no";
export const n = define("no", { from: "no" });
/** import("no") */
 * import { o } from "no";
 *     import("no");
// import("no")
`;
  expect([...importsOf(text)].sort()).toEqual(
    ["./g.ts", "./i.js", "@e/f", "a", "b/c", "d", "h", "k", "l"].sort(),
  );
});

it("takes the package name with or without a scope", () => {
  expect(packageOf("ajv/dist/2020.js")).toBe("ajv");
  expect(packageOf("@reins/core/directory")).toBe("@reins/core");
});
