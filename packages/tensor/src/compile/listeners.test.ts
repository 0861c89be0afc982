import { expect, it } from "vitest";
import { compile, mul, onCompile, tensor } from "../index.ts";

it("calls listeners before and after a function is compiled, once per shape", () => {
  const calls: string[] = [];
  const off = onCompile((name) => {
    calls.push(`begin ${name}`);
    return () => calls.push(`end ${name}`);
  });
  const double = compile((x: ReturnType<typeof tensor>) => mul(x, 2), { name: "double" });
  expect([...double(tensor([1, 2])).data]).toEqual([2, 4]);
  double(tensor([3, 4]));
  expect(calls).toEqual(["begin double", "end double"]);
  off();
  double(tensor([1, 2, 3]));
  expect(calls).toHaveLength(2);
});

it("calls the end listener of a compilation that fails", () => {
  const calls: string[] = [];
  const off = onCompile(() => () => calls.push("end"));
  const broken = compile(() => {
    throw new Error("broken");
  });
  expect(() => broken()).toThrow("broken");
  off();
  expect(calls).toEqual(["end"]);
});
