import { expect, it } from "vitest";
import * as browser from "./browser.ts";
import * as node from "./node.ts";

it("browsers have a replacement for every Node function", () => {
  expect(Object.keys(browser).sort()).toEqual(Object.keys(node).sort());
});
