import { kernel, type Strides } from "../kernels/kernel.ts";
import { type Column, column } from "../kernels/memory.ts";
import type { Pair } from "../kernels/pair.ts";
import { ParameterColumns } from "../kernels/parameters.ts";
import type { Rows } from "../kernels/rows.ts";
import { Sines } from "../kernels/sines.ts";
import type { Parameters } from "../parameters.ts";
import { linkParameterNames, linkParameters, variedAccelerations } from "./link-parameters.ts";

const interval = 0.2;
const { gravity } = linkParameters;

/** State besides angles and speeds: results of the last step that the next one reuses. */
const state = ["angle1", "angle2", "speed1", "speed2", "sine2", "cosine2"] as const;
/** Speeds at the evaluation point, and the weighted sums of the four derivative stages. */
const work = ["here1", "here2", "sumX1", "sumX2", "sumW1", "sumW2"] as const;
/**
 * Angles whose sines or cosines the next stage needs: the second, both from the horizontal, the first from the
 * horizontal.
 */
const turns = ["angles0", "angles1", "angles2"] as const;
const found = ["sin0", "cos0", "sin1", "cos1", "cos2"] as const;
const columns = [...state, ...work, ...turns, ...found] as const;
const strides = { ...Object.fromEntries(columns.map((name) => [name, 8])), actions: 4 };

const load = (k: Rows, names: readonly string[]) => names.map((name) => k.load(name));
const store = (k: Rows, names: readonly string[], values: readonly Pair[]) =>
  names.forEach((name, i) => k.store(name, values[i]));

/** Inputs of the first stage. */
const begin = kernel({ columns: strides }, (k) => {
  const [x1, x2] = load(k, state);
  store(k, turns.slice(1), [x1.add(x2).sub(Math.PI / 2), x1.sub(Math.PI / 2)]);
});

/** Accelerations of both links, in Gymnasium's order of operations: every rounding is equal. */
function accelerations(k: Rows, w1: Pair, w2: Pair, sin2: Pair, cos2: Pair): [Pair, Pair] {
  const [cosBoth, cosFirst] = load(k, ["cos1", "cos2"]);
  const torque = k.loadIntegers("actions").sub(1);
  const d1 = cos2.add(1.25).add(0.25).add(1).add(1);
  const d2 = cos2.mul(0.5).add(0.25).add(1);
  const phi2 = cosBoth.mul(0.5 * gravity);
  const pulls = w2.mul(w2).mul(-0.5).mul(sin2).sub(w2.mul(w1).mul(sin2));
  const phi1 = pulls.add(cosFirst.mul(1.5 * gravity)).add(phi2);
  const moved = torque.add(d2.div(d1).mul(phi1)).sub(w1.mul(w1).mul(0.5).mul(sin2)).sub(phi2);
  const second = moved.div(
    d2
      .mul(d2)
      .div(d1)
      .rsub(0.25 + 1),
  );
  return [d2.mul(second).add(phi1).neg().div(d1), second];
}

/** One of the four Runge-Kutta stages. */
const stageOf = (stage: number, columns: Strides, accelerate: typeof accelerations) =>
  kernel({ columns, lists: ["outside"] }, (k) => {
    const [a1, a2, v1, v2] = load(k, state);
    const [w1, w2] = stage === 0 ? [v1, v2] : load(k, work);
    const [sin2, cos2] = load(k, stage === 0 ? ["sine2", "cosine2"] : ["sin0", "cos0"]);
    const [acc1, acc2] = accelerate(k, w1, w2, sin2, cos2);
    const weight = stage === 0 || stage === 3 ? 1 : 2;
    const sums = stage === 0 ? [0, 1, 2, 3].map(() => k.constant(0)) : load(k, work.slice(2));
    const [x1, x2, y1, y2] = [w1, w2, acc1, acc2].map((part, i) => sums[i].add(part.mul(weight)));
    if (stage < 3) {
      const ahead = stage === 2 ? interval : interval / 2;
      const [b1, b2] = [a1.add(w1.mul(ahead)), a2.add(w2.mul(ahead))];
      store(k, work, [v1.add(acc1.mul(ahead)), v2.add(acc2.mul(ahead)), x1, x2, y1, y2]);
      store(k, turns, [b2, b1.add(b2).sub(Math.PI / 2), b1.sub(Math.PI / 2)]);
      return;
    }
    const next = [a1.add(x1.mul(interval / 6)), a2.add(x2.mul(interval / 6))].map(wrap);
    store(k, ["angle1", "angle2"], next);
    store(k, ["sumW1", "sumW2"], [v1.add(y1.mul(interval / 6)), v2.add(y2.mul(interval / 6))]);
    const outside = next[0].abs().gt(Math.PI).or(next[1].abs().gt(Math.PI));
    k.where(outside, () => k.note("outside", outside));
  });
const stages = [0, 1, 2, 3].map((stage) => stageOf(stage, strides, accelerations));
/** Accelerations with a column per parameter, where rows may differ. */
const variedStrides = { ...strides, ...Object.fromEntries(linkParameterNames.map((name) => [name, 8])) };
const variedStages = [0, 1, 2, 3].map((stage) => stageOf(stage, variedStrides, variedAccelerations));

/** An angle wrapped between -π and π, if it is less than two turns away. */
function wrap(angle: Pair): Pair {
  let x = angle;
  for (let n = 0; n < 2; n++) x = x.gt(Math.PI).select(x.sub(2 * Math.PI), x);
  for (let n = 0; n < 2; n++) x = x.lt(-Math.PI).select(x.add(2 * Math.PI), x);
  return x;
}

/** Clamped speeds, and the angles whose sines and cosines are observed. */
const limit = (fastest1: number, fastest2: number) =>
  kernel({ columns: strides }, (k) => {
    const [w1, w2] = load(k, ["sumW1", "sumW2"]);
    store(k, ["speed1", "speed2"], [w1.max(-fastest1).min(fastest1), w2.max(-fastest2).min(fastest2)]);
    const [x1, x2] = load(k, state);
    store(k, turns, [x1, x2, x1.add(x2)]);
  });

const show = kernel({ columns: { ...strides, out: 24, reward: 4, done: 1 } }, (k) => {
  const [sin1, cos1, sin2, cos2, cosBoth] = load(k, found);
  store(k, ["sine2", "cosine2"], [sin2, cos2]);
  k.storeSingles("out", [cos1, sin1, cos2, sin2, k.load("speed1"), k.load("speed2")]);
  const done = cos1.neg().sub(cosBoth).gt(1);
  k.storeFlags("done", done);
  k.storeSingles("reward", [done.select(k.constant(0), k.constant(-1))]);
});

/** Two links in every row: a step integrates them by the fourth-order Runge-Kutta method. */
export class Links {
  readonly state;
  private readonly rows: number;
  private readonly kept: { readonly [name: string]: Column<Float64Array> };
  private readonly actions: Column<Int32Array>;
  private readonly out: Column<Float32Array>;
  private readonly reward: Column<Float32Array>;
  private readonly done: Column<Uint8Array>;
  private readonly outside: Column<Int32Array>;
  /** Three angles of every row, one kind after the other, in even numbers of rows. */
  private readonly angles: Column<Float64Array>;
  private readonly sines: Sines;
  private readonly even: number;
  private readonly limit;
  private readonly at: readonly number[];
  private readonly parameters: Parameters;
  private readonly parameterColumns: ParameterColumns;
  private readonly variedAt: readonly number[];

  constructor(rows: number, fastest1: number, fastest2: number, parameters: Parameters) {
    this.rows = rows;
    this.parameters = parameters;
    this.parameterColumns = new ParameterColumns(rows, parameters);
    this.even = rows + (rows % 2);
    this.kept = Object.fromEntries([...state, ...work].map((name) => [name, column(Float64Array, rows)]));
    const { angle1, angle2, speed1, speed2, sine2, cosine2 } = this.kept;
    this.state = {
      angle1: angle1.data,
      angle2: angle2.data,
      speed1: speed1.data,
      speed2: speed2.data,
      sine2: sine2.data,
      cosine2: cosine2.data,
    };
    this.actions = column(Int32Array, rows);
    this.out = column(Float32Array, rows, 6);
    this.reward = column(Float32Array, rows);
    this.done = column(Uint8Array, rows);
    this.outside = column(Int32Array, rows + 2);
    this.angles = column(Float64Array, 3 * this.even);
    this.sines = new Sines(3 * this.even);
    this.limit = limit(fastest1, fastest2);
    const { sines, cosines } = this.sines;
    const nth = ({ at }: Column<Float64Array>, n: number) => at + n * this.even * 8;
    this.at = [
      ...[...state, ...work].map((name) => this.kept[name].at),
      ...[0, 1, 2].map((n) => nth(this.angles, n)),
      nth(sines, 0),
      nth(cosines, 0),
      nth(sines, 1),
      nth(cosines, 1),
      nth(cosines, 2),
      this.actions.at,
    ];
    const held = this.parameterColumns.of(parameters);
    this.variedAt = [...this.at, ...linkParameterNames.map((name) => held[name].at)];
  }

  /** Observed angles after one step; the arrays are reused. */
  swing(actions: Int32Array): { out: Float32Array; reward: Float32Array; done: Uint8Array } {
    const { rows, at, angles, even, outside, sines, parameters } = this;
    if (parameters.varied) this.parameterColumns.of(parameters);
    const [kernels, where] = parameters.varied ? [variedStages, this.variedAt] : [stages, at];
    this.actions.data.set(actions);
    begin()(rows, ...at);
    for (let stage = 0; stage < 4; stage++) {
      if (stage > 0) sines.of(angles, 0, even);
      sines.cosinesOf(angles, even, 3 * even);
      kernels[stage]()(rows, ...where, outside.at);
    }
    for (let k = 1; k <= outside.data[0]; k++) this.wrapFar(outside.data[k]);
    this.limit()(rows, ...at);
    sines.of(angles, 0, 2 * even);
    sines.cosinesOf(angles, 2 * even, 3 * even);
    show()(rows, ...at, this.out.at, this.reward.at, this.done.at);
    return { out: this.out.data, reward: this.reward.data, done: this.done.data };
  }

  private wrapFar(row: number): void {
    if (row >= this.rows) return;
    for (const column of [this.state.angle1, this.state.angle2]) {
      while (column[row] > Math.PI) column[row] -= 2 * Math.PI;
      while (column[row] < -Math.PI) column[row] += 2 * Math.PI;
    }
  }
}
