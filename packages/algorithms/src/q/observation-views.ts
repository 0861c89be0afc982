import type { Tree } from "@reins/tensor";
import type { Augmentation } from "../images/augment.ts";

/** Several views of each observation: `join` combines their gradients, which are computed separately. */
export interface ObservationViews {
  readonly each: readonly Augmentation[];
  join(gradients: readonly Tree[]): Tree;
}

/** The combined gradient of all views, and the metrics of the first. */
export function joined<G extends { readonly gradient: Tree }>(
  { each, join }: ObservationViews,
  slope: (augment: Augmentation, index: number) => G,
): G {
  const all = each.map(slope);
  return { ...all[0], gradient: join(all.map(({ gradient }) => gradient)) };
}
