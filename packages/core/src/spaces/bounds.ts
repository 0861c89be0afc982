import type { Box, Image, MultiBinary, MultiDiscrete, Simplex } from "../space.ts";
import { elements } from "./layout.ts";
import { flat, kindOf, shapeFault } from "./numbers.ts";
import { number, show } from "./show.ts";

type Numbers = MultiDiscrete | MultiBinary | Box | Image | Simplex;

/** What is wrong with a value of a space that is one array of numbers; undefined if it is valid. */
export function checkNumbers(
  space: Numbers,
  value: unknown,
  name: string,
  bounds: boolean,
): string | undefined {
  // A box without axes is a number.
  if (space.kind === "box" && space.shape.length === 0) {
    if (typeof value !== "number") return `${name} is ${kindOf(value)}; ${show(space)} needs a number.`;
    return numberFits(space, value, 0, bounds) ? undefined : fault(space, value, name, "");
  }
  const size = elements(space);
  // A Uint8Array needs no check of its elements.
  if (space.kind === "image" && value instanceof Uint8Array && value.length === size) return;
  const shape = shapeFault(value, space.kind === "box" ? space.shape : imageShape(space), size);
  if (shape) return `${name} ${shape}; ${show(space)} needs ${size}${ofShape(space)}.`;
  const xs = flat(value as ArrayLike<number>);
  let sum = 0;
  for (let i = 0; i < size; i++) {
    if (!numberFits(space, xs[i], i, bounds)) return fault(space, xs[i], name, ` at ${i}`);
    sum += xs[i];
  }
  // Shares come from f32 columns, so their sum is rounded.
  if (space.kind === "simplex" && bounds && Math.abs(sum - 1) > 1e-4)
    return `${name} sums to ${number(sum)}; ${show(space)} needs shares that sum to 1.`;
  return;
}

function numberFits(space: Numbers, x: number, i: number, bounds: boolean): boolean {
  switch (space.kind) {
    case "box": {
      if (!Number.isFinite(x)) return false;
      if (!bounds) return true;
      // Columns are f32, so a bound counts as its nearest f32 number.
      const f = Math.fround(x);
      return f >= Math.fround(boundAt(space.low, i)) && f <= Math.fround(boundAt(space.high, i));
    }
    case "simplex":
      return Number.isFinite(x) && (!bounds || (x >= 0 && x <= 1 + 1e-4));
    default:
      return Number.isInteger(x) && x >= 0 && x < sizeAt(space, i);
  }
}

/** The bound of one element. */
export function boundAt(bound: number | readonly number[], i: number): number {
  return typeof bound === "number" ? bound : bound[i];
}

function sizeAt(space: MultiDiscrete | MultiBinary | Image, i: number): number {
  return space.kind === "multiDiscrete" ? space.sizes[i] : space.kind === "multiBinary" ? 2 : 256;
}

function fault(space: Numbers, x: unknown, name: string, where: string): string {
  const has = `${name} has ${typeof x === "number" ? number(x) : kindOf(x)}${where}`;
  const i = Number(where.slice(4));
  if (typeof x !== "number" || !Number.isFinite(x)) return `${has}; ${show(space)} needs finite numbers.`;
  if (space.kind === "box")
    return `${has}, outside ${show(space)}. It must be from ${number(boundAt(space.low, i))} to ${number(boundAt(space.high, i))} there.`;
  if (space.kind === "simplex") return `${has}; ${show(space)} needs shares from 0 to 1.`;
  return `${has}; ${show(space)} needs a whole number from 0 to ${sizeAt(space, i) - 1} there.`;
}

function imageShape(space: Exclude<Numbers, Box>): readonly number[] {
  if (space.kind !== "image") return flatShape;
  return [space.height, space.width, space.channels];
}

/** Spaces with one axis accept flat arrays only. */
const flatShape: readonly number[] = [];

function ofShape(space: Numbers): string {
  if (space.kind === "box") return ` numbers of shape [${space.shape.join(", ")}]`;
  return space.kind === "image" ? " bytes" : " numbers";
}
