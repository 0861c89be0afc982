/** A setting's value in a grid. */
export type Choice = number | string | boolean;

/** The values to try for each setting. */
export interface Grid {
  readonly [setting: string]: readonly Choice[];
}

/** One point of a grid. Numbers are arbitrary, because a grid whose best lies on its edge is extended. */
export type Settings<G extends Grid = Grid> = {
  readonly [K in keyof G]: G[K][number] extends number ? number : G[K][number];
};

/** The valid range of settings, lowest and highest. */
export interface GridLimits {
  readonly [setting: string]: readonly [number, number];
}

/** All points of a grid, the first value of each setting first. */
export function pointsOf(grid: Grid): Settings[] {
  return Object.entries(grid).reduce<Record<string, Choice>[]>(
    (points, [name, values]) => points.flatMap((p) => values.map((v) => ({ ...p, [name]: v }))),
    [{}],
  );
}

/** Whether two points are equal. */
export const samePoint = (a: Settings, b: Settings): boolean =>
  Object.keys(a).length === Object.keys(b).length && Object.entries(a).every(([k, v]) => b[k] === v);

/** The numbers of a setting among points, in order; empty if it is not numeric, or constant. */
export function ladderOf(points: readonly Settings[], setting: string): number[] {
  const values = [...new Set(points.map((p) => p[setting]))];
  if (values.length < 2 || values.some((v) => typeof v !== "number")) return [];
  return (values as number[]).sort((a, b) => a - b);
}

/**
 * The point one step beyond the edge on which a point lies in a setting: by the last ratio if all numbers are above 0, otherwise by the last
 * difference; an integer if all are. Undefined inside the range, and at a limit.
 */
export function beyond(
  point: Settings,
  points: readonly Settings[],
  setting: string,
  limits: GridLimits = {},
): Settings | undefined {
  const ladder = ladderOf(points, setting);
  const at = ladder.indexOf(point[setting] as number);
  if (at < 0 || (at > 0 && at < ladder.length - 1)) return undefined;
  const [edge, inner] = at === 0 ? [ladder[0], ladder[1]] : [ladder[at], ladder[at - 1]];
  const step = ladder.every((v) => v > 0) ? (edge * edge) / inner : 2 * edge - inner;
  const next = ladder.every(Number.isInteger) ? Math.round(step) : Number(step.toPrecision(6));
  const [low, high] = limits[setting] ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  const value = Math.min(Math.max(next, low), high);
  return value === edge ? undefined : { ...point, [setting]: value };
}

/** The points halfway between a point and its neighbours in a setting, the upper one first; none between adjacent integers. */
export function between(point: Settings, points: readonly Settings[], setting: string): Settings[] {
  const ladder = ladderOf(points, setting);
  const at = ladder.indexOf(point[setting] as number);
  const neighbours = at < 0 ? [] : [at + 1, at - 1].filter((i) => i >= 0 && i < ladder.length);
  return neighbours.flatMap((to) => {
    const [a, b] = [ladder[at], ladder[to]];
    const middle = a > 0 && b > 0 ? Math.sqrt(a * b) : (a + b) / 2;
    const value = ladder.every(Number.isInteger) ? Math.round(middle) : Number(middle.toPrecision(6));
    return ladder.includes(value) ? [] : [{ ...point, [setting]: value }];
  });
}
