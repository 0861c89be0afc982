import { fail } from "../errors.ts";
import { axisOf } from "../ops/check.ts";
import { show } from "../shape.ts";
import { Tensor } from "../tensor.ts";
import { mapTree, namesAlong } from "../tree.ts";

/** The member axis of each tensor; null passes a tensor whole to every member. A number or null applies to all tensors below it. */
export type VmapAxes = number | null | readonly VmapAxes[] | { readonly [name: string]: VmapAxes };

/** The axis of every leaf of the arguments, in order. */
export function axesFor(args: readonly unknown[], given: VmapAxes): (number | null)[] {
  const out: (number | null)[] = [];
  mapTree(args, (leaf, path) => {
    let axis: VmapAxes | undefined = given;
    for (const name of namesAlong(path)) {
      if (typeof axis !== "object" || axis === null) break;
      axis = (axis as Record<string, VmapAxes>)[name];
      if (axis === undefined)
        fail(
          "vmap",
          `\`in\` has no entry for argument ${path}. Pass an axis number, or null if all members share it.`,
        );
    }
    if (typeof axis === "object" && axis !== null)
      fail("vmap", `\`in\` nests deeper than argument ${path}, which is one tensor.`);
    if (!(leaf instanceof Tensor)) {
      if (typeof leaf !== "number" && typeof leaf !== "boolean")
        fail(
          "vmap",
          `argument ${path} is ${typeof leaf}; arguments are tensors, numbers, and objects and arrays of them.`,
        );
      axis = null;
    }
    out.push(axis === null ? null : axisOf(axis as number, (leaf as Tensor).rank, `vmap argument ${path}`));
  });
  return out;
}

/** The number of members. */
export function extentOf(args: readonly unknown[], axes: readonly (number | null)[]): number {
  const tensors: { tensor: Tensor; path: string; axis: number }[] = [];
  let k = 0;
  mapTree(args, (leaf, path) => {
    const axis = axes[k++];
    if (axis !== null) tensors.push({ tensor: leaf as Tensor, path, axis });
  });
  const first = tensors[0] ?? fail("vmap", "no argument is mapped. Give at least one an axis.");
  const count = first.tensor.shape[first.axis];
  for (const { tensor, path, axis } of tensors) {
    if (tensor.shape[axis] !== count) {
      fail(
        "vmap",
        `argument ${path} ${show(tensor.shape)} has ${tensor.shape[axis]} members on axis ${axis}, but argument ${first.path} ${show(first.tensor.shape)} has ${count}.`,
      );
    }
  }
  return count;
}
