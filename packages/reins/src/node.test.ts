import { expect, it } from "vitest";
import * as browser from "./browser.ts";
import * as node from "./node.ts";

it("has a browser counterpart for every function that needs Node", () => {
  expect(Object.keys(browser).sort()).toEqual(Object.keys(node).sort());
});
