import * as o from "@reins/tensor";
import { expect, it } from "vitest";
import { operationNames } from "./generate.ts";
import { exempt, tidy } from "./operations/table.ts";

const exported = [...Object.keys(o), ...Object.keys(o.random).map((n) => `random.${n}`)];

it("every operation of @reins/tensor has an entry, or a reason why not", () => {
  const missing = exported.filter((n) => !operationNames.includes(n) && !(n in exempt));
  expect(missing, "add them to the tables in packages/fuzz/src/operations").toEqual([]);
});

it("every entry is an operation", () => {
  expect(operationNames.filter((n) => !exported.includes(n))).toEqual([]);
  expect(Object.keys(exempt).filter((n) => !exported.includes(n) || operationNames.includes(n))).toEqual([]);
  expect(tidy.filter((n) => !operationNames.includes(n))).toEqual([]);
});
