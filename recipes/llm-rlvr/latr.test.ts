import { expect, it } from "vitest";
import { editDistance, type Group, type Growth, groupOf, grow, prune } from "./latr.parts.ts";
import { treeShare } from "./latr.rollout.ts";

const how: Growth = {
  limit: 4,
  end: 0,
  least: 0.25,
  within: 0.15,
  lookahead: 3,
  differing: 0.4,
  random: () => 0.99,
};
/** The prompt is the token 9. Tokens 1 and 2 are close at the first step; later texts repeat their last token and end after three. */
const table = (texts: readonly (readonly number[])[]) =>
  texts.map((text) => {
    if (text.length === 1) return [0, 0.5, 0.4, 0.1];
    if (text.length === 4) return [1, 0, 0, 0];
    return [0, 1, 2, 3].map((token) => Number(token === text.at(-1)));
  });
const texts = (group: Group) => group.branches.map((b) => b.tokens.join(""));

it("branches at a close second token, and fills a small group with its root", () => {
  const group = groupOf([9], 3);
  // Eight tokens are generated: two texts of four. The third candidate is never a branch.
  expect(grow([group], table, how)).toBe(8);
  expect(texts(group)).toEqual(["1110", "2220", "1110"]);
  const single = groupOf([9], 1);
  grow([single], table, how);
  // It is full at once, and sampled.
  expect(texts(single)).toEqual(["3330"]);
  const distant = groupOf([9], 2);
  grow([distant], table, { ...how, within: 0.05 });
  expect(texts(distant)).toEqual(["1110", "1110"]);
});

it("samples independently without trees", () => {
  const group = groupOf([9], 2, true);
  grow([group], table, how);
  expect(texts(group)).toEqual(["3330", "3330"]);
});

it("prunes branches of which less than two fifths differ after three tokens, with their own branches", () => {
  const root = { tokens: [1, 5, 6, 7], born: 0, done: false };
  const similar = { tokens: [1, 4, 6, 7], parent: root, born: 1, done: false };
  const other = { tokens: [1, 3, 6, 8], parent: root, born: 1, done: false };
  const child = { tokens: [1, 4, 6, 2], parent: similar, born: 3, done: false };
  const group: Group = { ...groupOf([9], 4), branches: [root, similar, other, child] };
  prune(group, 3, how);
  expect(group.branches).toEqual([root, other]);
  const early: Group = { ...groupOf([9], 2), branches: [root, similar] };
  prune(early, 2, how);
  expect(early.branches.length).toBe(2);
});

it("measures edit distance", () => {
  expect([
    editDistance([1, 2, 3], [1, 2, 3]),
    editDistance([1, 2, 3], [2, 3]),
    editDistance([1, 2], [3, 4]),
  ]).toEqual([0, 1, 2]);
});

it("leaves trees after two fifths of training", () => {
  expect([0, 0.03, 0.1, 0.3, 0.4, 1].map(treeShare)).toEqual([1, 0.75, 0.5, 0.25, 0, 0]);
});
