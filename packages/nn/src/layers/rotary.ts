import { add, cast, concat, cos, expandDims, mul, neg, sin, split, type Tensor, tensor } from "@reins/tensor";
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
  const angle = rotaryFrequencies(width, options);
  const frequencies = tensor([...angle]);
  // [..., time, 1, pairs]: the same for every head.
  const angles = mul(expandDims(expandDims(cast(positions, "f32"), -1), -1), frequencies);
  const [c, s] = [cos(angles), sin(angles)].map((t) => (scale === 1 ? t : mul(t, scale)));
  const rest = width - 2 * angle.length;
  const [a, b, still] = split(x, [angle.length, angle.length, ...(rest ? [rest] : [])], -1);
  const turned = [add(mul(a, c), neg(mul(b, s))), add(mul(b, c), mul(a, s))];
  return concat(rest ? [...turned, still] : turned, -1);
}
