import type { NodeOf } from "../graph.ts";
import { copyKernel } from "./copy.ts";
import { bytesOf, type Level } from "./level.ts";
import { scatterKernel } from "./scatter.ts";
import { isWhole, stridedView, whole } from "./strided-view.ts";

/** Copies the first argument into the result's memory, or updates it in place if it is not read later, nor as the update. */
function begin(node: NodeOf<"scatter" | "dynamicUpdate">, level: Level): void {
  const { fusion, draft, spotOf } = level;
  const x = stridedView(node.inputs[0], fusion);
  if (!isWhole(x)) return level.call(copyKernel(x, whole(node), "copy"));
  if (level.placeOf(node) && level.placeOf(node) === level.placeOf(x.base)) return;
  const alone = node.inputs.slice(1).every((n) => stridedView(n, fusion).base !== x.base);
  const mine = alone && !level.isInput(x.base) && !level.isResult(x.base);
  const last = !level.isReadAfter(x.base, fusion.unitOf.get(node)!);
  if (last && mine && !level.placeOf(node)) level.put(node, spotOf(x.base));
  else draft.copy(spotOf(x.base), spotOf(node), bytesOf(node));
}

export function scatter(node: NodeOf<"scatter">, level: Level): void {
  begin(node, level);
  level.call(scatterKernel(node, node.inputs[1], node.inputs[2], level.fusion, false));
}

export function dynamicUpdate(node: NodeOf<"dynamicUpdate">, level: Level): void {
  begin(node, level);
  const { axis } = node.attributes;
  const [, update, at] = node.inputs;
  const to = { ...whole(node), shape: update.shape };
  const start = {
    node: stridedView(at, level.fusion).base,
    stride: to.strides[axis],
    limit: node.shape[axis] - update.shape[axis],
  };
  level.call(copyKernel(stridedView(update, level.fusion), to, "dynamicUpdate", start));
}
