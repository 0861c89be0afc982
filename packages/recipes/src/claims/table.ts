import { fail } from "@reins/core";

/** Every value of every side for every replicate: what a claim is judged by. */
export interface Table {
  /** A seed, a search, an environment: what the claim generalises over. */
  readonly replicates: readonly string[];
  /** By side, then by metric, in the order of the replicates. */
  readonly values: { readonly [side: string]: { readonly [metric: string]: readonly number[] } };
}

/** A side's values of a metric, one a replicate. None may be missing. */
export function column(table: Table, side: string, metric: string): readonly number[] {
  const values = table.values[side]?.[metric];
  if (values === undefined)
    return fail(`${side}, ${metric}`, "it was not measured. Let the side give a value of this name.");
  const gap = table.replicates.findIndex((_, i) => !Number.isFinite(values[i] ?? Number.NaN));
  if (gap >= 0)
    fail(`${side}, ${metric}`, `it is missing for ${table.replicates[gap]}. Every run must give it.`);
  return values;
}

/** Several blocks as one. Replicates of the same name, such as environments of a suite, become their mean. */
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
  return { replicates: names, values };
}

/** The mean of what is there; NaN of nothing. */
export function mean(values: readonly number[]): number {
  const there = values.filter(Number.isFinite);
  return there.reduce((a, b) => a + b, 0) / there.length;
}
