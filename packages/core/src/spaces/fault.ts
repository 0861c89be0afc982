import { describeValue } from "../errors.ts";
import type { Space } from "../space.ts";
import { isArray } from "./numbers.ts";

/** What is wrong with a space, and how to write it; undefined if it is valid. */
export function spaceFault(given: unknown): string | undefined {
  if (typeof given !== "object" || given === null || !("kind" in given))
    return `is ${describeValue(given)}; it must be a space, such as box([4]) or discrete(2)`;
  const space = given as Space;
  switch (space.kind) {
    case "discrete":
      if (!isCount(space.n)) return counted("discrete", space.n, "discrete(2)");
      return Number.isInteger(space.start)
        ? undefined
        : `is a discrete space that starts at ${describeValue(space.start)}; write discrete(3, 1) for 1, 2 and 3`;
    case "multiDiscrete":
      return isArray(space.sizes) && space.sizes.length > 0 && Array.from(space.sizes).every(isCount)
        ? undefined
        : `is a multiDiscrete of ${describeValue(space.sizes)}; it needs the number of choices of each part: multiDiscrete([3, 2])`;
    case "multiBinary":
    case "simplex":
      return isCount(space.n) ? undefined : counted(space.kind, space.n, `${space.kind}(3)`);
    case "box":
      return boxFault(space);
    case "image":
      return [space.height, space.width, space.channels].every(isCount)
        ? undefined
        : `is an image of ${describeValue(space.height)} × ${describeValue(space.width)} × ${describeValue(space.channels)}; it needs height, width and channels: image(84, 84, 3)`;
    case "list":
      if (!isCount(space.max))
        return `is a list of at most ${describeValue(space.max)} items; give the maximum: list(discrete(5), 10)`;
      return inside("its items", spaceFault(space.item));
    case "text":
      return isCount(space.maxLength) || space.maxLength === Number.POSITIVE_INFINITY
        ? undefined
        : `is a text of at most ${describeValue(space.maxLength)} characters; write text(40)`;
    case "dict":
    case "tuple":
      return partsFault(space);
    case "content":
    case "graph":
      return undefined;
    default:
      return `is ${describeValue(given)}; it must be a space, such as box([4]) or discrete(2)`;
  }
}

const isCount = (n: unknown): boolean => Number.isInteger(n) && (n as number) >= 1;
const counted = (kind: string, n: unknown, example: string) =>
  `is a ${kind} of ${describeValue(n)}; it needs a whole number from 1: ${example}`;
const inside = (part: string, fault: string | undefined) => fault && `has a part (${part}) that ${fault}`;

function boxFault({ shape, low, high }: Space & { kind: "box" }): string | undefined {
  if (!isArray(shape) || !Array.from(shape).every((n) => Number.isInteger(n) && n >= 0))
    return `is a box whose shape is ${describeValue(shape)}; it needs a list of sizes: box([4])`;
  const size = shape.reduce((a, b) => a * b, 1);
  if (size === 0) return `is a box of shape [${shape}], which has no numbers; every size must be at least 1`;
  for (const [name, bound] of Object.entries({ low, high })) {
    const numbers: ArrayLike<unknown> = isArray(bound) ? bound : [bound];
    if (isArray(bound) && bound.length !== size)
      return `is a box of ${size} numbers with ${bound.length} bounds (${name}); use one for all, or one per number`;
    if (!Array.from(numbers).every((x) => typeof x === "number" && !Number.isNaN(x)))
      return `is a box whose ${name} is ${describeValue(bound)}; it must be a number or a list of numbers`;
  }
  const at = (bound: number | readonly number[], i: number) => (typeof bound === "number" ? bound : bound[i]);
  for (let i = 0; i < size; i++)
    if (at(low, i) > at(high, i))
      return `is a box from ${at(low, i)} to ${at(high, i)}: low is above high. Write box([4], -1, 1)`;
}

function partsFault({ kind, spaces }: Space & { kind: "dict" | "tuple" }): string | undefined {
  if (typeof spaces !== "object" || spaces === null || (kind === "dict" && Array.isArray(spaces)))
    return `is a ${kind} of ${describeValue(spaces)}; write ${kind === "dict" ? "dict({ speed: box([1]) })" : "tuple(box([1]), discrete(2))"}`;
  if (kind === "tuple" && Array.isArray(spaces[0]))
    return "is a tuple of a list; pass its parts as arguments: tuple(box([1]), discrete(2))";
  const parts = Object.entries(spaces);
  if (parts.length === 0) return `is a ${kind} without parts; give it at least one`;
  for (const [name, part] of parts) {
    const fault = inside(name, spaceFault(part));
    if (fault) return fault;
  }
}
