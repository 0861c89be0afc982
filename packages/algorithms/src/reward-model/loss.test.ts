import { random, setBackend, sum, type Tensor, tensor, valueAndGradient, where, zeros } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { fixture } from "../preference/testing-fixture.ts";
import { rewardTerm } from "./loss.ts";

setBackend("wasm");

/** A completion: its rewards by head, its prompt, its score and its margin. */
interface Row {
  readonly rewards: readonly number[];
  readonly group: number;
  readonly score: number;
  readonly margin?: number;
}

/** Tokens of a row; the text is scored at the last but one of them, so that the others must not count. */
const time = 4;

/** Value, gradient of each row's rewards and metrics of the term; with parts, as gradient accumulation computes them. */
function evaluated(rows: readonly Row[], centring: number, { padded = 0, parts = 1 } = {}) {
  const heads = rows[0].rewards.length;
  const found = { value: 0, gradient: [] as number[][], metrics: {} as Record<string, number> };
  const size = rows.length / parts;
  for (let part = 0; part < parts; part++) {
    const own = rows.slice(part * size, (part + 1) * size);
    const wide = own.length + padded;
    const column = (of: (row: Row) => number) => {
      const out = zeros([time, wide]);
      for (let t = 0; t < time; t++) own.forEach((row, r) => (out.data[t * wide + r] = of(row)));
      return out;
    };
    const alive = column(() => 1).gt(0.5);
    const columns = {
      alive,
      group: column((r) => r.group),
      score: column((r) => r.score),
      margin: column((r) => r.margin ?? 0),
    };
    const logProb = zeros([time, wide]);
    const final = zeros([time, wide]);
    own.forEach((_, r) => (final.data[(time - 2) * wide + r] = 1));
    const whole = tensor(new Uint8Array(time * rows.length).fill(1), {
      shape: [time, rows.length],
      dtype: "bool",
    });
    const given = zeros([time, wide, heads]).set(7);
    own.forEach(({ rewards }, r) =>
      rewards.forEach((x, h) => (given.data[((time - 2) * wide + r) * heads + h] = x)),
    );
    const tokens = time * (parts > 1 ? rows.length : own.length);
    const average = (each: Tensor) => sum(where(alive, each, 0)).div(tokens);
    const { value, gradient, aux } = valueAndGradient((reward: Tensor) => {
      const metrics: Record<string, Tensor> = {};
      const each = rewardTerm(centring).value({
        scored: { logProb, entropy: logProb, extra: { reward, final } },
        columns,
        key: random.key(0),
        report: (name, x) => void (metrics[name] = average(x)),
        ...(parts > 1 ? { whole } : {}),
      });
      return [average(each), metrics] as const;
    })(given);
    found.value += value.item();
    for (const [name, x] of Object.entries(aux)) found.metrics[name] = (found.metrics[name] ?? 0) + x.item();
    own.forEach((_, r) => {
      const at = ((time - 2) * wide + r) * heads;
      found.gradient.push([...gradient.data.slice(at, at + heads)]);
    });
    // Other tokens and padding get no gradient.
    const total = gradient.data.filter((g) => g !== 0).length;
    expect(total).toBeLessThanOrEqual(own.length * heads);
  }
  return found;
}

/** A case of TRL. */
interface Case {
  readonly loss: string;
  readonly chosen: readonly number[];
  readonly rejected: readonly number[];
  readonly margin?: readonly number[];
  readonly value: number;
  readonly gradientChosen: readonly number[];
  readonly gradientRejected: readonly number[];
}

const cases = (fixture.cases as readonly object[]).filter((c): c is Case => "gradientChosen" in c);

/** A pair as the rows of its completions, chosen first. */
const pairRows = ({ chosen, rejected, margin }: Pick<Case, "chosen" | "rejected" | "margin">): Row[] =>
  chosen.flatMap((reward, i) => [
    { rewards: [reward], group: i, score: 1, margin: margin?.[i] },
    { rewards: [rejected[i]], group: i, score: 0 },
  ]);

describe("the loss of a reward model", () => {
  it("is compared in all three cases of TRL", () => expect(cases).toHaveLength(3));

  it.each(cases.map((c) => [c.loss, c] as const))("equals TRL's %s, with its gradient", (name, c) => {
    const centring = name.endsWith("centred") ? 0.01 : 0;
    for (const how of [
      {},
      { padded: 4 },
      { parts: c.chosen.length },
      { parts: c.chosen.length, padded: 2 },
    ]) {
      const { value, gradient } = evaluated(pairRows(c), centring, how);
      expect(value).toBeCloseTo(c.value, 5);
      c.gradientChosen.forEach((g, i) => expect(gradient[2 * i][0]).toBeCloseTo(g, 6));
      c.gradientRejected.forEach((g, i) => expect(gradient[2 * i + 1][0]).toBeCloseTo(g, 6));
    }
  });

  /** −Σᵢ log(exp rᵢ / Σ over i and all worse j of exp rⱼ), of one list. */
  const plackettLuce = (rewards: readonly number[], scores: readonly number[]) =>
    rewards.reduce((total, r, i) => {
      const worse = rewards.filter((_, j) => scores[j] < scores[i]);
      return total - Math.log(Math.exp(r) / (Math.exp(r) + worse.reduce((s, x) => s + Math.exp(x), 0)));
    }, 0);

  it("of rankings is that of Plackett and Luce, a mean over prompts and heads", () => {
    const lists = [
      {
        rewards: [
          [0.3, -1],
          [1.2, 0.4],
          [-0.7, 2],
          [0.1, 0.5],
        ],
        scores: [3, 2, 1, 0],
      },
      {
        rewards: [
          [0.9, 0],
          [-0.2, 1],
          [0.4, -3],
        ],
        scores: [5, 1, 1],
      },
    ];
    const rows = lists.flatMap(({ rewards, scores }, group) =>
      rewards.map((r, i) => ({ rewards: r, group, score: scores[i] })),
    );
    const direct = (all: typeof lists) =>
      all.reduce(
        (sum, { rewards, scores }) =>
          sum +
          [0, 1].reduce(
            (s, h) =>
              s +
              plackettLuce(
                rewards.map((r) => r[h]),
                scores,
              ),
            0,
          ),
        0,
      ) / 4;
    const found = evaluated(rows, 0, { padded: 1 });
    expect(found.value).toBeCloseTo(direct(lists), 5);
    const step = 1e-4;
    let row = 0;
    for (const { rewards } of lists)
      for (const reward of rewards) {
        for (const h of [0, 1]) {
          const here = reward[h];
          reward[h] = here + step;
          const up = direct(lists);
          reward[h] = here - step;
          const down = direct(lists);
          reward[h] = here;
          expect(found.gradient[row][h]).toBeCloseTo((up - down) / (2 * step), 5);
        }
        row++;
      }
  });

  it("reports accuracy, margin, rewards and the disagreement of heads", () => {
    const rows: Row[] = [
      { rewards: [3, 1], group: 0, score: 1 },
      { rewards: [1, 1], group: 0, score: 0 },
      { rewards: [0, 0], group: 1, score: 1 },
      { rewards: [1, 1], group: 1, score: 0 },
    ];
    const { metrics } = evaluated(rows, 0.1, { padded: 2 });
    expect(metrics["preference/accuracy"]).toBeCloseTo(0.5, 6);
    // Margins 2 and 0 of the first pair, −1 and −1 of the second.
    expect(metrics["preference/margin"]).toBeCloseTo(0, 6);
    expect(metrics["preference/disagreement"]).toBeCloseTo(0.5, 5);
    expect(metrics["reward/chosen"]).toBeCloseTo(1, 6);
    expect(metrics["reward/rejected"]).toBeCloseTo(1, 6);
  });

  it("is finite for extreme rewards", () => {
    const { value, gradient } = evaluated(pairRows({ chosen: [-5000, 5000], rejected: [5000, -5000] }), 0);
    expect(value).toBeCloseTo(5000, 0);
    expect(gradient.map(([g]) => g)).toEqual([-0.5, 0.5, 0, 0]);
  });
});
