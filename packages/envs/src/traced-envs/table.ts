import type { TracedEnv } from "@reins/core";
import { add, le, mul, squeeze, sum, type Tensor, take, tensor, where, zeros } from "@reins/tensor";
import type { BatchedOptions } from "../batch-form.ts";
import { uniformTable } from "../physics/random-columns.ts";
import { limited } from "../step-limit.ts";
import { type DrawnMdp, describeState, drawnEnv, running, tableSpec } from "../tabular/env.ts";
import type { TabularMdp } from "../tabular/mdp.ts";
import { eitherForm } from "./forms.ts";

/** A table as tensors: outcomes of each pair of state and action, [pairs, outcomes], and the initial states. */
export type TableParams = {
  /** Cumulative probabilities. */
  readonly upTo: Tensor;
  readonly next: Tensor;
  readonly reward: Tensor;
  readonly ends: Tensor;
  readonly startUpTo: Tensor;
  readonly startState: Tensor;
};

/** The state of each row, and its last action (-1 at the start), i32 [rows]. */
export type TableState = { readonly at: Tensor; readonly last: Tensor };

/** The table of an MDP. Where rounding leaves no outcome, the first one is chosen, as in the usual form. */
export function tableParams({ transition, start }: TabularMdp): TableParams {
  const pairs = transition.flat();
  const width = 1 + Math.max(...pairs.map((p) => p.length));
  const shape = [pairs.length, width];
  const fill = (read: (outcome: (typeof pairs)[0][0]) => number) =>
    pairs.flatMap((p) => Array.from({ length: width }, (_, i) => read(p[i] ?? p[0])));
  const upTo = pairs.flatMap((p) => padded(running(p.map((o) => o.probability)), width));
  const starts = start.flatMap((p, state) => (p > 0 ? [state] : []));
  const startUpTo = running(start).filter((_, state) => start[state] > 0);
  const size = 2 ** Math.ceil(Math.log2(starts.length + 1));
  return {
    upTo: tensor(Float32Array.from(upTo), { shape }),
    next: tensor(Int32Array.from(fill((o) => o.state)), { shape }),
    reward: tensor(Float32Array.from(fill((o) => o.reward)), { shape }),
    ends: tensor(Int32Array.from(fill((o) => Number(o.terminated))), { shape }),
    startUpTo: tensor(Float32Array.from(padded(startUpTo, size))),
    startState: tensor(Int32Array.from({ length: size }, (_, i) => starts[i] ?? 0)),
  };
}

/** Numbers of which none is below infinity beyond their end. */
const padded = (values: readonly number[], size: number) =>
  Array.from({ length: size }, (_, i) =>
    i < values.length ? singleFrom(values[i]) : Number.POSITIVE_INFINITY,
  );

/** The smallest f32 that is not below: comparisons with an f32 then have the result of f64. */
function singleFrom(x: number): number {
  const bits = new DataView(new ArrayBuffer(4));
  bits.setFloat32(0, x);
  if (bits.getFloat32(0) < x) bits.setUint32(0, bits.getUint32(0) + 1);
  return bits.getFloat32(0);
}

/** Samples initial states from uniform numbers, [rows]: a binary search. */
export function tableStart({ startUpTo, startState }: TableParams, drawn: Tensor): TableState {
  let place = zeros(drawn.shape, "i32");
  for (let step = startUpTo.size / 2; step >= 1; step /= 2) {
    const further = add(place, step);
    place = where(le(take(startUpTo, further.sub(1)), drawn), further, place);
  }
  return { at: take(startState, place), last: zeros(drawn.shape, "i32").sub(1) };
}

/** A step with uniform numbers, [rows], which choose among the outcomes. */
export function tableStep(
  params: TableParams,
  { at }: TableState,
  action: Tensor,
  drawn: Tensor,
  actions: number,
) {
  const pair = add(mul(at, actions), action);
  const passed = le(take(params.upTo, pair), drawn.reshape([-1, 1]));
  const outcome = add(mul(pair, params.upTo.shape[1]), sum(passed.cast("i32"), 1));
  const read = (table: Tensor) => take(table.reshape([table.size]), outcome);
  return {
    state: { at: read(params.next), last: action },
    reward: read(params.reward),
    terminated: read(params.ends).ne(0),
  };
}

/** A tabular MDP in tensor operations: its table is the parameter. */
export function tracedTable(
  { model, draw, picture }: DrawnMdp,
  { maxSteps }: BatchedOptions = {},
): TracedEnv<TableParams, TableState> {
  const drawnFor = (key: Tensor, rows: number) => squeeze(uniformTable(key, rows, 1), 1);
  return {
    spec: limited(tableSpec(model), maxSteps),
    rowKeys: true,
    reset: (params, rows, key) => tableStart(params, drawnFor(key, rows)),
    observe: (_, { at }) => at,
    step: (params, state, action, key) =>
      tableStep(params, state, action as Tensor, drawnFor(key, state.at.shape[0]), model.actions),
    render: (_, { at, last }, row) =>
      draw?.(at.data[row], last.data[row]) ?? describeState(model, at.data[row]),
    ...(picture ? { picture: (_, { at, last }, row) => picture(at.data[row], last.data[row]) } : {}),
  };
}

/** The factory of a tabular environment in either form. */
export const eitherTable = <O extends BatchedOptions>(table: (options: O) => DrawnMdp) =>
  eitherForm(
    (options: O) => drawnEnv(table(options), options),
    (options: O) => tracedTable(table(options), options),
    (options: O) => tableParams(table(options).model),
  );
