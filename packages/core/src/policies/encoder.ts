import { concat, permute, reshape, type Tensor, type Tree } from "@reins/tensor";
import { nn } from "../nn.ts";
import type { Image, Space } from "../space.ts";
import { flatSize, flatten } from "../spaces/flatten.ts";

/** Turns observations into features: images are looked at, everything else is laid out flat. */
export interface Encoder {
  /** Length of the result. */
  readonly features: number;
  /** Absent where nothing is learned. */
  readonly init?: (key: Tensor) => Tree;
  /** [leading axes, …] to [leading axes, features]. */
  apply(params: Tree, observation: Tree, leading: number): Tensor;
}

/** The encoder that fits an observation space. Images of 36 × 36 and more get the network of DQN (Mnih et al., 2015). */
export function encoderFor(space: Space): Encoder {
  if (isLarge(space)) return looking(space);
  if (!parts(space).some(([, s]) => hasImage(s)))
    return { features: flatSize(space), apply: (_, x, leading) => flatten(space, x, { leading }) };
  const encoders = parts(space).map(([name, s]) => [name, encoderFor(s)] as const);
  const part = (tree: Tree, name: string) => (tree as Record<string, Tree>)[name];
  return {
    features: encoders.reduce((n, [, e]) => n + e.features, 0),
    init: (key) => Object.fromEntries(encoders.map(([name, e]) => [name, e.init?.(key) ?? {}])),
    apply: (params, x, leading) =>
      concat(
        encoders.map(([name, e]) => e.apply(part(params, name), part(x, name), leading)),
        -1,
      ),
  };
}

function looking({ height, width, channels }: Image): Encoder {
  const features = 512;
  const eyes = nn.natureCnn({ shape: [channels, height, width], outputs: features });
  return {
    features,
    init: (key) => eyes.init(key),
    apply(params, x, leading) {
      const image = x as Tensor;
      const before = image.shape.slice(0, leading);
      const frames = permute(reshape(image, [-1, height, width, channels]), [0, 3, 1, 2]);
      return reshape(eyes.apply(params as ReturnType<typeof eyes.init>, frames), [...before, features]);
    },
  };
}

const isLarge = (space: Space): space is Image =>
  space.kind === "image" && space.height >= 36 && space.width >= 36;

const hasImage = (space: Space): boolean => isLarge(space) || parts(space).some(([, s]) => hasImage(s));

function parts(space: Space): [string, Space][] {
  if (space.kind === "dict") return Object.entries(space.spaces);
  if (space.kind === "tuple") return space.spaces.map((s, i) => [String(i), s]);
  return [];
}
