import {
  add,
  cast,
  concat,
  cos,
  expandDims,
  flip,
  iota,
  mul,
  reshape,
  sin,
  split,
  sub,
  type Tensor,
  tensor,
} from "@reins/tensor";
import { fail } from "../errors.ts";

/** Frequencies of {@link rotary}. */
export interface RotaryOptions {
  /** Base of the frequencies. Larger rotates more slowly, for longer contexts (10 000 to 1 000 000). */
  base?: number;
  /**
   * The angle per position for each pair of elements, instead of `base` (scaled variants for long contexts). With fewer entries than the
   * head has pairs, only its first elements are rotated.
   */
  frequencies?: readonly number[];
  /** Factor of rotated elements (YaRN scales long contexts this way; default 1). */
  scale?: number;
}

/** Angles per position for heads of the given width: base^(-2i/width). */
export function rotaryFrequencies(
  width: number,
  { base = 10_000, frequencies }: RotaryOptions = {},
): readonly number[] {
  if (width % 2)
    fail("rotary", `the width of a head is ${width}; rotary embeddings rotate pairs and need an even width.`);
  if (frequencies && (frequencies.length > width / 2 || frequencies.length === 0))
    fail(
      "rotary",
      `${frequencies.length} frequencies were given for heads of width ${width}, which have ${width / 2} pairs.`,
    );
  return frequencies ?? Array.from({ length: width / 2 }, (_, i) => base ** ((-2 * i) / width));
}

/**
 * Rotary position embedding (Su et al., 2021), in the two-halves layout of Llama. `x` is [batch, time, heads, width] and
 * `positions` (i32) is [time] or [batch, time]. Products of rotated vectors depend only on the difference of their positions.
 */
export function rotary(x: Tensor, positions: Tensor, options: RotaryOptions = {}): Tensor {
  const width = x.shape[x.rank - 1];
  const { scale = 1 } = options;
  const frequencies = rotaryFrequencies(width, options);
  const pairs = frequencies.length;
  // [..., time, 1, 1, pairs]: the same for every head and both halves.
  const place = [1, 2, 3].reduce((t) => expandDims(t, -1), cast(positions, "f32"));
  const angles = mul(place, shared(frequencies));
  const [c, s] = [cos(angles), sin(angles)].map((t) => (scale === 1 ? t : mul(t, scale)));
  const rest = width - 2 * pairs;
  const [turning, still] = rest ? split(x, [2 * pairs, rest], -1) : [x];
  // Each half is rotated with the other one, so that one kernel writes both.
  const halves = reshape(turning, [...x.shape.slice(0, -1), 2, pairs]);
  const signs = sub(mul(cast(iota([2, 1], 0), "f32"), 2), 1);
  const turned = reshape(add(mul(halves, c), mul(flip(halves, -2), mul(s, signs))), turning.shape);
  return still ? concat([turned, still], -1) : turned;
}

const known = new Map<string, Tensor>();

/** One tensor for equal frequencies, so that the layers of a model compute their angles once. */
function shared(frequencies: readonly number[]): Tensor {
  const key = frequencies.join();
  let t = known.get(key);
  if (!t) known.set(key, (t = tensor([...frequencies])));
  return t;
}
