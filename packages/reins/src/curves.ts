import type { CurvesOptions } from "./terminal/curves.ts";

/**
 * Learning curves of saved runs as an SVG image: a metric over steps, with axes.
 *
 *     await writeFile("curves.svg", await curves(["runs/a", "runs/b"], { smooth: 10 }));
 */
export async function curves(runs: string | readonly string[], options: CurvesOptions = {}): Promise<string> {
  const { curvesOf } = await import("#node");
  return curvesOf([runs].flat(), options);
}
