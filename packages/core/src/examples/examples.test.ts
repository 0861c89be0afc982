import { describe, expect, it } from "vitest";
import type { ExampleSource } from "../example-source.ts";
import {
  concatExamples,
  exampleArray,
  exampleSubset,
  mapExamples,
  splitExamples,
  textHash,
} from "./index.ts";

const all = <T>(source: ExampleSource<T>) => Array.from({ length: source.count }, (_, i) => source.read(i));
const letters = (count: number) => Array.from({ length: count }, (_, i) => `prompt ${i}`);

describe("examples", () => {
  it("in an array are read by index", () => {
    const source = exampleArray(["a", "b"], { name: "mine" });
    expect(all(source)).toEqual(["a", "b"]);
    expect(source.locate(1)).toBe("mine, example 2");
    expect(() => source.read(2)).toThrow("mine: index 2 is out of range. Use 0 to 1.");
    expect(source.digest).toBe(exampleArray(["a", "b"]).digest);
    expect(source.digest).not.toBe(exampleArray(["b", "a"]).digest);
  });

  it("are mapped when they are read, with their location", () => {
    const source = mapExamples(exampleArray([1, 2]), (x, at, i) => `${x} ${at} ${i}`);
    expect(source.read(1)).toBe("2 examples, example 2 1");
  });

  it("of several sources follow each other", () => {
    const source = concatExamples([exampleArray(["a", "b"]), exampleArray(["c"], { name: "other" })]);
    expect(all(source)).toEqual(["a", "b", "c"]);
    expect([source.locate(1), source.locate(2)]).toEqual(["examples, example 2", "other, example 1"]);
    expect(() => source.read(3)).toThrow("Use 0 to 2");
  });

  it("can be selected", () => {
    const source = exampleSubset(exampleArray(["a", "b", "c"]), Int32Array.of(2, 0));
    expect(all(source)).toEqual(["c", "a"]);
    expect(source.locate(0)).toBe("examples, example 3");
    expect(source.digest).not.toBe(exampleSubset(exampleArray(["a", "b", "c"]), Int32Array.of(0, 2)).digest);
  });
});

describe("splitExamples", () => {
  const byText = { test: 0.1, key: textHash };

  it("holds out an exact share of the keys and keeps equal keys together", () => {
    const twice = [...letters(200), ...letters(200)];
    const { train, test } = splitExamples(exampleArray(twice), byText);
    expect([train.count, test.count]).toEqual([360, 40]);
    const held = new Set(all(test));
    expect(held.size).toBe(20);
    expect(all(train).filter((text) => held.has(text))).toEqual([]);
  });

  it("depends neither on the order nor on examples that are added", () => {
    const few = new Set(all(splitExamples(exampleArray(letters(200)), byText).test));
    const turned = all(splitExamples(exampleArray(letters(200).reverse()), byText).test);
    expect(new Set(turned)).toEqual(few);
    // Twice as many examples: the share is the same, so the bound hardly moves.
    const more = new Set(all(splitExamples(exampleArray(letters(400)), byText).test));
    expect([...few].filter((text) => more.has(text)).length).toBeGreaterThan(14);
  });

  it("keeps at least one example on each side, if there are two", () => {
    const sizes = (count: number, test: number) => {
      const split = splitExamples(exampleArray(letters(count)), { ...byText, test });
      return [split.train.count, split.test.count];
    };
    expect(sizes(2, 0.01)).toEqual([1, 1]);
    expect(sizes(3, 0.99)).toEqual([1, 2]);
    expect(sizes(1, 0.5)).toEqual([1, 0]);
    expect(sizes(5, 0)).toEqual([5, 0]);
    expect(() => sizes(5, 1)).toThrow("test is 1; it must be at least 0 and below 1.");
  });

  it("follows the examples' own split where any has one", () => {
    const source = exampleArray(letters(10));
    const own = (_: string, i: number) => (i === 3 ? ("test" as const) : undefined);
    const { train, test } = splitExamples(source, { ...byText, own });
    expect([train.count, all(test)]).toEqual([9, ["prompt 3"]]);
  });
});
