import { type DType, type Tensor, type Tree, tensor } from "@reins/tensor";
import { fail } from "../errors.ts";
import type { Space, Text } from "../space.ts";

/** One column of a space: its element type, and its shape without the axis of rows. */
export interface Column {
  readonly dtype: DType;
  readonly shape: readonly number[];
}

/** The columns of a space, nested as the space is. */
export type Layout = Column | readonly Layout[] | { readonly [name: string]: Layout };

/** The columns that hold the values of a space. */
export function layoutOf(space: Space): Layout {
  return mapColumns(space, [], (dtype, shape) => ({ dtype, shape })) as Layout;
}

/** Columns of zeros for `rows` values of a space. */
export function columns(space: Space, rows: number): Tree {
  return mapColumns(space, [rows], zeroColumn) as Tree;
}

/** A concrete column of zeros, also while a function is traced (`zeros` would then return a traced one). */
export function zeroColumn(dtype: DType, shape: readonly number[]): Tensor {
  const size = shape.reduce((n, d) => n * d, 1);
  return tensor(new Uint8Array(size), { shape, dtype });
}

type Build<T> = (dtype: DType, shape: readonly number[], path: string) => T;

/** Calls `build` for every column of a space; `lead` are the leading axes. */
function mapColumns<T>(space: Space, lead: readonly number[], build: Build<T>, path = ""): unknown {
  const at = (name: string | number) => (path ? `${path}.${name}` : String(name));
  switch (space.kind) {
    case "discrete":
      return build("i32", lead, path);
    case "multiDiscrete":
      return build("i32", [...lead, space.sizes.length], path);
    case "multiBinary":
      return build("i32", [...lead, space.n], path);
    case "box":
      return build("f32", [...lead, ...space.shape], path);
    case "image":
      return build("u8", [...lead, space.height, space.width, space.channels], path);
    case "simplex":
      return build("f32", [...lead, space.n], path);
    case "list":
      return {
        items: mapColumns(space.item, [...lead, space.max], build, at("items")),
        count: build("i32", lead, at("count")),
      };
    case "text":
      return {
        letters: build("u8", [...lead, letterRoom(space, path), 2], at("letters")),
        count: build("i32", lead, at("count")),
      };
    case "graph":
      return {
        nodes: build("f32", [...lead, space.maxNodes, space.nodeFeatures], at("nodes")),
        edges: build("f32", [...lead, space.maxEdges, space.edgeFeatures], at("edges")),
        links: build("i32", [...lead, space.maxEdges, 2], at("links")),
        nodeCount: build("i32", lead, at("nodeCount")),
        edgeCount: build("i32", lead, at("edgeCount")),
      };
    case "dict":
      return Object.fromEntries(
        Object.entries(space.spaces).map(([name, part]) => [name, mapColumns(part, lead, build, at(name))]),
      );
    case "tuple":
      return space.spaces.map((part, i) => mapColumns(part, lead, build, at(i)));
    default:
      return hostOnly(space, path);
  }
}

/** Numbers in one value of a single-column space; 0 for composite spaces. */
export function elements(space: Space): number {
  switch (space.kind) {
    case "discrete":
      return 1;
    case "multiDiscrete":
      return space.sizes.length;
    case "multiBinary":
    case "simplex":
      return space.n;
    case "box": {
      let size = 1;
      for (let i = 0; i < space.shape.length; i++) size *= space.shape[i];
      return size;
    }
    case "image":
      return space.height * space.width * space.channels;
    default:
      return 0;
  }
}

/** Capacity of a text column in characters of two bytes. */
export function letterRoom(space: Text, path = ""): number {
  return Number.isFinite(space.maxLength) ? space.maxLength : hostOnly(space, path);
}

/** Throws for content and for text without a maximum length. */
export function hostOnly(space: Space, path = ""): never {
  const longest = space.kind === "text" ? ", or set a maximum length, as in text(200)" : "";
  return fail(
    "space",
    `${path ? `${path} is ${space.kind}` : space.kind}, which has no columns. Turn it into tokens first, as in list(discrete(vocabulary), maxLength)${longest}.`,
  );
}
