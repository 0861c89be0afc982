import { expect, it } from "vitest";
import { hubTokenizer } from "./hub.ts";

const bytes = Object.fromEntries(["a", "b", "Ġ", "</s>"].map((name, id) => [name, id]));
const tokenizerOf = (step: object, normalizer: object | null = null) =>
  hubTokenizer({
    added_tokens: [{ id: 3, content: "</s>", special: true }],
    normalizer,
    pre_tokenizer: {
      type: "Sequence",
      pretokenizers: [step, { type: "ByteLevel", add_prefix_space: false, use_regex: false }],
    },
    post_processor: null,
    decoder: { type: "ByteLevel" },
    model: { type: "BPE", vocab: bytes, merges: [] },
  });
const split = { type: "Split", pattern: { String: " " }, invert: false };

it.each([
  [{ ...split, behavior: "MergedWithPrevious" }, "Split has the behavior MergedWithPrevious"],
  [{ ...split, behavior: "Contiguous" }, "Supported: Isolated and Removed."],
  [{ ...split, invert: true, behavior: "Isolated" }, "Split with invert has the behavior Isolated"],
  [{ type: "Punctuation", behavior: "Isolated" }, "Punctuation has the behavior Isolated"],
])("%j is refused", (step, why) => {
  expect(() => tokenizerOf(step)).toThrow(why);
});

it("supported ones are accepted, and those without an effect", () => {
  for (const step of [
    { ...split, behavior: "Isolated" },
    { ...split, behavior: "Removed", invert: true, pattern: { Regex: "[ab]+" } },
    { type: "Punctuation", behavior: "Contiguous" },
  ])
    expect(tokenizerOf(step).encode("ab")).toEqual([0, 1]);
  const replace = { type: "Replace", pattern: { String: " " }, content: "a" };
  expect(tokenizerOf({ ...split, behavior: "MergedWithPrevious" }, replace).encode("b b")).toEqual([1, 0, 1]);
});
