import { expect, it } from "vitest";
import { plainContent } from "./content.ts";

it("has one form for equal data", () => {
  const one = plainContent({ b: [1, { y: 2, x: "a" }], a: null, none: undefined });
  const two = plainContent({ a: null, b: [1, { x: "a", y: 2 }] });
  expect(JSON.stringify(one)).toBe('{"a":null,"b":[1,{"x":"a","y":2}]}');
  expect(JSON.stringify(two)).toBe(JSON.stringify(one));
  expect(plainContent([Number.POSITIVE_INFINITY, -1, 0])).toEqual(["number Infinity", -1, 0]);
  expect(plainContent(-0)).toBe("number -0");
});

it("is undefined for values that are not plain data", () => {
  expect(plainContent({ loss: () => 1 })).toBeUndefined();
  expect(plainContent([{ deep: [new Map()] }])).toBeUndefined();
  expect(plainContent(undefined)).toBeUndefined();
});
