import { type Tensor, tensor } from "@reins/tensor";
import { expect, it } from "vitest";
import { defaultRng } from "../numpy/index.ts";
import * as signals from "../signal.ts";
import { LiveColumn } from "../signals/live.ts";
import { whitened } from "./baselines.ts";
import { expectClose, reference } from "./testing.ts";
import { klPenalisedRewards, textGae } from "./text-gae.ts";

interface PostTraining {
  token_level_rewards: number[][];
  response_mask: number[][];
  mask_with_tool_tokens: number[][];
  values: number[][];
  advantages: { estimator: string; advantages: number[][]; returns: number[][] }[];
}
const f = reference<PostTraining>("rl/post-training.json");

/** Rows of texts as columns [time, rows], and back. */
const turned = (rows: readonly (readonly (number | boolean)[])[]) =>
  tensor(rows[0].map((_, t) => rows.map((row) => row[t])) as number[][]);
const rowsOf = (x: Tensor) =>
  Array.from({ length: x.shape[1] }, (_, r) =>
    Array.from({ length: x.shape[0] }, (_, t) => x.data[t * x.shape[1] + r]),
  );
const columnsOf = (rewards: number[][], mask: number[][]) => ({
  reward: turned(rewards),
  value: turned(f.values),
  alive: turned(mask.map((row) => row.map((m) => m > 0))),
});

it("agrees with verl, whitened over unmasked tokens", () => {
  const { advantages, returns } = f.advantages.find((a) => a.estimator.startsWith("gae "))!;
  const found = textGae({ gamma: 0.99, lambda: 0.95 })(columnsOf(f.token_level_rewards, f.response_mask));
  const on = (rows: number[][]) => rows.flatMap((row, e) => row.map((x, t) => x * f.response_mask[e][t]));
  const white = whitened(rowsOf(found.advantage).flat(), f.response_mask.flat());
  expectClose(white, on(advantages), 1e-4);
  expectClose(on(rowsOf(found.return)), on(returns), 1e-4);
});

/** The recursion on one text without masked tokens; their rewards go to the step before. */
function byHand(
  rewards: number[],
  values: number[],
  mask: number[],
  gamma: number,
  lambda: number,
): number[] {
  const at = mask.flatMap((m, t) => (m ? [t] : []));
  const paid = at.map((t, k) => rewards.slice(t, at[k + 1]).reduce((a, b) => a + b, 0));
  const out = mask.map(() => 0);
  for (let k = at.length - 1, later = 0, next = 0; k >= 0; k--) {
    const v = values[at[k]];
    later = paid[k] + gamma * next - v + gamma * lambda * later;
    next = v;
    out[at[k]] = later;
  }
  return out;
}

it.each(["at the end", "anywhere"])("skips tool tokens, with rewards %s", (where) => {
  const random = defaultRng(3);
  const rewards =
    where === "anywhere"
      ? f.values.map((row) => row.map(() => random.standardNormal()))
      : f.token_level_rewards;
  const mask = f.mask_with_tool_tokens;
  const { advantage } = textGae({ gamma: 0.9, lambda: 0.7 })(columnsOf(rewards, mask));
  const found = rowsOf(advantage).map((row, e) => row.map((x, t) => x * mask[e][t]));
  const expected = mask.map((m, e) => byHand(rewards[e], f.values[e], m, 0.9, 0.7));
  expectClose(found.flat(), expected.flat());
});

it("needs whole texts: concatenated steps would mix", () => {
  const flat = { reward: tensor([1, 2]), value: tensor([0, 0]), alive: tensor([true, true]) };
  expect(() => textGae({ gamma: 1, lambda: 1 })(flat)).toThrow("needs whole texts as columns");
});

it("the KL penalty applies at each unmasked step", () => {
  const columns = { reward: tensor([[1, 2]]), alive: tensor([[true, false]]) };
  const paid = klPenalisedRewards(columns, tensor([[-1, -1]]), tensor([[-3, -3]]), 0.25);
  expectClose(paid, [0.5, 2]);
});

it("supports a discount per token", () => {
  const columns = columnsOf(f.token_level_rewards, f.response_mask);
  const per = (value: number) =>
    tensor(
      columns.reward.data.map(() => value),
      { shape: columns.reward.shape },
    );
  const column = (name: string, x: Tensor) =>
    new LiveColumn(
      name,
      signals.column(() => x, "token"),
    );
  const found = textGae({ gamma: column("g", per(0.9)), lambda: column("l", per(0.8)) })(columns);
  const wanted = textGae({ gamma: 0.9, lambda: 0.8 })(columns);
  expectClose(Array.from(found.advantage.data), Array.from(wanted.advantage.data), 1e-6);
  // A discount of 0 in one text cuts off its later tokens only.
  const [, rows] = columns.reward.shape;
  const first = per(0.9);
  first.data.forEach((_, i) => {
    if (i % rows === 0) first.data[i] = 0;
  });
  const cut = textGae({ gamma: column("g", first), lambda: 0.8 })(columns).advantage.data;
  cut.forEach((a, i) => {
    if (i % rows !== 0) expect(a).toBeCloseTo(wanted.advantage.data[i], 5);
    else if (columns.alive.data[i]) expect(a).toBeCloseTo(columns.reward.data[i] - columns.value.data[i], 4);
  });
});
