/**
 * The set of valid observations or actions. A space is plain data, so that it can be stored, compared and sent; its operations
 * are in `spaces/`: sample and check a value, lay it out in columns, flatten it for a network.
 *
 * | space | a value | its columns |
 * | --- | --- | --- |
 * | discrete | a whole number | i32 [] |
 * | multiDiscrete | several whole numbers | i32 [k] |
 * | multiBinary | several bits | i32 [k] |
 * | box | numbers between bounds | f32 [shape] |
 * | image | bytes, height × width × channels | u8 [h, w, c] |
 * | simplex | shares that add up to 1 | f32 [n] |
 * | list | up to `max` values of one space (a set if unordered) | { items: [max, …], count: i32 [] } |
 * | text | a string | { letters: u8 [maxLength, 2], count: i32 [] }; none without a `maxLength`: host only |
 * | content | text and array parts in order | none: host only |
 * | graph | nodes and links with features | { nodes, edges, links, nodeCount, edgeCount } |
 * | dict, tuple | named or ordered parts | the parts' columns, nested |
 */
export type Space =
  | Discrete
  | MultiDiscrete
  | MultiBinary
  | Box
  | Image
  | Simplex
  | List
  | Text
  | Content
  | Graph
  | Dict
  | Tuple;

/** One of several choices, as a whole number. */
export interface Discrete {
  readonly kind: "discrete";
  /** Number of choices: `start` … `start + n - 1`. */
  readonly n: number;
  readonly start: number;
}
/** Several choices at once; each entry of `sizes` is a number of choices. */
export interface MultiDiscrete {
  readonly kind: "multiDiscrete";
  readonly sizes: readonly number[];
}
/** Bits, each 0 or 1. */
export interface MultiBinary {
  readonly kind: "multiBinary";
  readonly n: number;
}
/** An array of real numbers between bounds. */
export interface Box {
  readonly kind: "box";
  readonly shape: readonly number[];
  /** One bound for all, or one for each element. */
  readonly low: number | readonly number[];
  readonly high: number | readonly number[];
}
/** An image in bytes, rows first and channels last. */
export interface Image {
  readonly kind: "image";
  readonly height: number;
  readonly width: number;
  readonly channels: number;
}
/** Non-negative shares that sum to 1. */
export interface Simplex {
  readonly kind: "simplex";
  readonly n: number;
}
/** A varying number of values of one space, padded to `max` in columns. */
export interface List {
  readonly kind: "list";
  readonly item: Space;
  readonly max: number;
  /** False for a set: the order of the items has no meaning. */
  readonly ordered: boolean;
}
/** A string of at most `maxLength` characters. */
export interface Text {
  readonly kind: "text";
  readonly maxLength: number;
}
/** Text interleaved with arrays, such as a prompt with images. */
export interface Content {
  readonly kind: "content";
  /** The spaces of its array parts. */
  readonly parts: readonly Space[];
}
/** A graph of varying size with features at nodes and edges, padded in columns. */
export interface Graph {
  readonly kind: "graph";
  readonly maxNodes: number;
  readonly maxEdges: number;
  readonly nodeFeatures: number;
  readonly edgeFeatures: number;
}
/** Values of several spaces, by name. */
export interface Dict {
  readonly kind: "dict";
  readonly spaces: { readonly [name: string]: Space };
}
/** Values of several spaces, in order. */
export interface Tuple {
  readonly kind: "tuple";
  readonly spaces: readonly Space[];
}

/** Names for the components of a space: a list for numbers and choices, a record for the parts of a dict. */
export type Labels = readonly string[] | { readonly [part: string]: Labels };

/** A value of a space, for the single form of an environment. */
export type Value =
  | number
  | string
  | ArrayLike<number>
  | readonly Value[]
  | { readonly [name: string]: Value };

/** `n` choices, counted from `start`. */
export const discrete = (n: number, start = 0): Discrete => ({ kind: "discrete", n, start });
/** Several choices at once, each with its own size. */
export const multiDiscrete = (sizes: readonly number[]): MultiDiscrete => ({ kind: "multiDiscrete", sizes });
/** `n` bits. */
export const multiBinary = (n: number): MultiBinary => ({ kind: "multiBinary", n });
/** Numbers between bounds. */
export const box = (
  shape: readonly number[],
  low: number | readonly number[] = Number.NEGATIVE_INFINITY,
  high: number | readonly number[] = Number.POSITIVE_INFINITY,
): Box => ({ kind: "box", shape, low, high });
/** Bytes of an image, rows first, channels last. */
export const image = (height: number, width: number, channels: number): Image => ({
  kind: "image",
  height,
  width,
  channels,
});
/** `n` shares that sum to 1. */
export const simplex = (n: number): Simplex => ({ kind: "simplex", n });
/** At most `max` values of one space, padded, with a count; `ordered: false` makes it a set. */
export const list = (item: Space, max: number, { ordered = true } = {}): List => ({
  kind: "list",
  item,
  max,
  ordered,
});
/** A string. */
export const text = (maxLength = Number.POSITIVE_INFINITY): Text => ({ kind: "text", maxLength });
/** Text and array parts in order, such as a prompt with images. */
export const content = (parts: readonly Space[] = []): Content => ({ kind: "content", parts });
/** Nodes and links between them, padded, with counts. */
export const graph = (options: Omit<Graph, "kind">): Graph => ({ kind: "graph", ...options });
/** Named parts. */
export const dict = (spaces: { readonly [name: string]: Space }): Dict => ({ kind: "dict", spaces });
/** Parts in order. */
export const tuple = (...spaces: Space[]): Tuple => ({ kind: "tuple", spaces });
