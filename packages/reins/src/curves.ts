import type { CurvesOptions } from "./terminal/curves.ts";

/**
 * How some kept runs learned, as an SVG picture: a metric over steps, with axes.
 *
 *     await writeFile("curves.svg", await curves(["runs/a", "runs/b"], { smooth: 10 }));
 */
export async function curves(runs: string | readonly string[], options: CurvesOptions = {}): Promise<string> {
  const { curvesOf } = await import("#node");
  return curvesOf([runs].flat(), options);
}
