import { fail, type Space } from "@reins/core";
import { showSpace } from "@reins/core/spaces";
import type { Port } from "../graph.ts";

/** Whether values of a space have a fixed number of elements. */
const isPlain = (space: Space) =>
  ["discrete", "multiDiscrete", "multiBinary", "box", "image", "simplex"].includes(space.kind);

/** The array parts of a space by path, with the JavaScript that accesses them. */
export function partsOf(
  space: Space,
  name: string,
  source: string,
): { name: string; access: string; space: Space }[] {
  const visit = (inner: Space, path: string, access: string): ReturnType<typeof partsOf> => {
    if (isPlain(inner)) return [{ name: path, access, space: inner }];
    if (inner.kind === "dict")
      return Object.entries(inner.spaces).flatMap(([key, part]) =>
        visit(part, `${path}.${key}`, `${access}?.[${JSON.stringify(key)}]`),
      );
    if (inner.kind === "tuple")
      return inner.spaces.flatMap((part, i) => visit(part, `${path}.${i}`, `${access}?.[${i}]`));
    return fail(
      source,
      `its ${path} is ${showSpace(inner)}, but modules need values of a fixed size. Export it as ONNX (reins export --onnx policy.onnx), or save the agent with agent.save().`,
    );
  };
  return visit(space, name, name);
}

/** JavaScript that builds a value of a space from the arrays of its parts. */
export function valueText(space: Space, name: string, arrayOf: (name: string) => string): string {
  switch (space.kind) {
    case "dict":
      return `{ ${Object.entries(space.spaces)
        .map(([key, part]) => `${JSON.stringify(key)}: ${valueText(part, `${name}.${key}`, arrayOf)}`)
        .join(", ")} }`;
    case "tuple":
      return `[${space.spaces.map((part, i) => valueText(part, `${name}.${i}`, arrayOf)).join(", ")}]`;
    case "discrete":
      return `${arrayOf(name)}[0]`;
    case "box":
      return space.shape.length ? `${arrayOf(name)}.slice()` : `${arrayOf(name)}[0]`;
    default:
      return `${arrayOf(name)}.slice()`;
  }
}

/** The TypeScript type of an input or output of a module. */
export function typeText(space: Space, given: boolean): string {
  switch (space.kind) {
    case "dict":
      return `{ ${Object.entries(space.spaces)
        .map(([key, part]) => `readonly ${JSON.stringify(key)}: ${typeText(part, given)}`)
        .join("; ")} }`;
    case "tuple":
      return `readonly [${space.spaces.map((part) => typeText(part, given)).join(", ")}]`;
    case "discrete":
      return "number";
    case "box":
      if (space.shape.length === 0) return "number";
      return given ? "Float32Array" : "Numbers";
    case "simplex":
      return given ? "Float32Array" : "Numbers";
    case "image":
      return given ? "Uint8Array" : "Numbers";
    default:
      return given ? "Int32Array" : "Numbers";
  }
}

/** The step of a port by its name. */
export function stepNamed(ports: readonly Port[], name: string, source: string): number {
  return ports.find((p) => p.name === name)?.step ?? fail(source, `it has no ${name}.`);
}
