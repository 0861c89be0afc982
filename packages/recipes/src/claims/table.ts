import { fail } from "@reins/core";

/** An arm's values by metric, in the order of the replicates. */
export interface Columns {
  readonly [metric: string]: readonly number[];
}

/** Every value of every arm for every replicate: the evidence for claims. */
export interface Table {
  /** A seed, a search, an environment: what the claim generalises over. */
  readonly replicates: readonly string[];
  readonly values: { readonly [side: string]: Columns };
  /** The values of the other points that an arm might have been tuned to. */
  readonly rivals?: { readonly [side: string]: readonly Columns[] };
}

/** An arm's values of a metric, one per replicate. None may be missing. */
export function column(table: Table, side: string, metric: string): readonly number[] {
  const values = table.values[side]?.[metric];
  if (values === undefined)
    return fail(`${side}, ${metric}`, "it was not measured. Return a value of this name from the arm.");
  const gap = table.replicates.findIndex((_, i) => !Number.isFinite(values[i] ?? Number.NaN));
  if (gap >= 0)
    fail(`${side}, ${metric}`, `it is missing for ${table.replicates[gap]}. Every run must return it.`);
  return values;
}

/** An arm's values that are not a metric: a diverged run has none, and leaves a gap. */
export function columnOfRest(table: Table, side: string, value: string): readonly number[] {
  const values = table.values[side]?.[value];
  return values?.some(Number.isFinite) ? values : column(table, side, value);
}

/** Several blocks as one. Replicates of the same name, such as environments of a suite, are averaged. */
export function pooled(tables: readonly Table[]): Table {
  const names = [...new Set(tables.flatMap((t) => t.replicates))];
  const places = names.map((name) =>
    tables.flatMap((t, i) => {
      const at = t.replicates.indexOf(name);
      return at < 0 ? [] : [[i, at] as const];
    }),
  );
  const values: Record<string, Record<string, number[]>> = {};
  for (const t of tables)
    for (const [side, metrics] of Object.entries(t.values))
      for (const metric of Object.keys(metrics)) {
        values[side] ??= {};
        values[side][metric] ??= places.map((all) =>
          mean(all.map(([i, at]) => tables[i].values[side]?.[metric]?.[at] ?? Number.NaN)),
        );
      }
  const rivals = Object.entries(tables[0]?.rivals ?? {}).map(([side, all]) => [
    side,
    all.map((_, i) => {
      const alone = tables.map(({ replicates, values: v, rivals: r }) => ({
        replicates,
        values: { ...v, [side]: r?.[side]?.[i] ?? {} },
      }));
      return pooled(alone).values[side];
    }),
  ]);
  return { replicates: names, values, ...(rivals.length && { rivals: Object.fromEntries(rivals) }) };
}

/** The table, followed by copies with each rival of an arm. */
export const withRivals = (table: Table, side: string): Table[] => [
  table,
  ...(table.rivals?.[side] ?? []).map((rival) => ({
    ...table,
    values: { ...table.values, [side]: rival },
  })),
];

/** The mean of the finite values; NaN if there are none. Recorded values are computed by it and compared bit for bit: the order of its sum is fixed. */
export function mean(values: readonly number[]): number {
  const there = values.filter(Number.isFinite);
  return there.reduce((a, b) => a + b, 0) / there.length;
}
