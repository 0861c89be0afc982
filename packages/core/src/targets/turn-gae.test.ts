import { type Tensor, tensor } from "@reins/tensor";
import { expect, it } from "vitest";
import { expectClose } from "./testing.ts";
import { textGae } from "./text-gae.ts";
import { turnGae } from "./turn-gae.ts";

const column = (values: readonly (number | boolean)[]) => tensor(values.map((v) => [v]) as number[][]);
const turns = [0, 1, 1, 0, 0, 2, 2, 2, 0, 3];
const columns = {
  turn: tensor(
    turns.map((t) => [t]),
    { dtype: "i32" },
  ),
  alive: column(turns.map((t) => t > 0)),
  // Rewards for the first turn's last token, from the environment after it, and at the end.
  reward: column([9, 0, 1, 0.5, 0, 0, 0, 0, 0, 4]),
  value: column([7, 2, 8, 8, 8, 3, 8, 8, 8, 5]),
};

it("by hand: each token has its turn's advantage, from the critic's value at the start of turns", () => {
  const { advantage, return: returns, opens } = turnGae({ gamma: 0.5, lambda: 0.8 })(columns);
  const third = 4 - 5;
  const second = 0 + 0.5 * 5 - 3 + 0.4 * third;
  const first = 1.5 + 0.5 * 3 - 2 + 0.4 * second;
  const own = [first, second, third];
  const at = (x: Tensor, t: number) => x.data[t];
  turns.forEach((t, i) => {
    if (t > 0) expect(at(advantage, i)).toBeCloseTo(own[t - 1], 5);
  });
  // The critic is trained at the start of turns: three of six tokens.
  expectClose(opens, [0, 2, 0, 0, 0, 2, 0, 0, 0, 2]);
  for (const [t, i] of [1, 5, 9].entries())
    expect(at(returns, i)).toBeCloseTo(own[t] + columns.value.data[i], 5);
});

it("with turns of one token equals token-level GAE", () => {
  const short = [0, 1, 0, 2, 3, 0];
  const one = {
    turn: tensor(
      short.map((t) => [t]),
      { dtype: "i32" },
    ),
    alive: column(short.map((t) => t > 0)),
    reward: column([0, 1, 2, 0, 3, 4]),
    value: column([1, 2, 3, 4, 5, 6]),
  };
  const options = { gamma: 0.9, lambda: 0.7 };
  const [found, wanted] = [turnGae(options)(one).advantage, textGae(options)(one).advantage];
  short.forEach((t, i) => {
    if (t > 0) expect(found.data[i]).toBeCloseTo(wanted.data[i], 5);
  });
});

it("without turns a text is one turn, and tokens shared with another text are masked", () => {
  const { turn: _, ...plain } = columns;
  const alive = column([false, true, true, true, true, true, true, true, true, true]);
  const { advantage } = turnGae({ gamma: 0.5, lambda: 0.8 })({ ...plain, alive });
  for (let i = 1; i < 10; i++) expect(advantage.data[i]).toBeCloseTo(5.5 - 2, 5);
  // The first turn is trained on in another row.
  const later = { ...columns, alive: column(turns.map((t) => t > 1)) };
  const all = turnGae({ gamma: 0.5, lambda: 0.8 })(columns).advantage;
  const rest = turnGae({ gamma: 0.5, lambda: 0.8 })(later).advantage;
  turns.forEach((t, i) => {
    if (t > 1) expect(rest.data[i]).toBeCloseTo(all.data[i], 6);
  });
});

it("needs whole texts", () => {
  const flat = { reward: tensor([1]), value: tensor([0]), alive: tensor([true]) };
  expect(() => turnGae({ gamma: 1, lambda: 1 })(flat)).toThrow("needs whole texts as columns");
});
