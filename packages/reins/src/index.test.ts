import * as algorithms from "@reins/algorithms";
import * as core from "@reins/core";
import * as envs from "@reins/envs";
import * as tensor from "@reins/tensor";
import { expect, it } from "vitest";
import * as browser from "./browser.ts";
import * as reins from "./index.ts";
import * as node from "./node.ts";

it("has every name of every package", () => {
  // Two packages with the same name would silently hide it: `export *` leaves such names out.
  for (const [from, names] of Object.entries({ algorithms, core, envs, tensor }))
    for (const name of Object.keys(names)) expect(reins, `${from}.${name}`).toHaveProperty(name);
  expect(reins.nn.mlp).toBeTypeOf("function");
});

it("has a stand-in in browsers for all that needs Node", () => {
  expect(Object.keys(browser).sort()).toEqual(Object.keys(node).sort());
});
