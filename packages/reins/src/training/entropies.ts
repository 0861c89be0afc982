import type { CurrentPolicy, Episode, ScoringPolicy } from "@reins/core";
import { stepsOf } from "@reins/core/episodes";
import { isScoringPolicy } from "@reins/core/policies";
import { compile, Tensor, type Tree, tensor } from "@reins/tensor";

/** Texts per batch. */
const rows = 8;

/** A segment of a text whose context was not rewritten. */
interface Stretch {
  readonly episode: number;
  readonly from: number;
  readonly seen: Tensor;
  readonly chosen: Tensor;
  readonly length: number;
}

/**
 * Entropy of the current language model at each step of some texts. Undefined if a text is not made of plain tokens, or if
 * the model needs more inputs.
 */
export function entropiesOf(
  { policy, weights }: CurrentPolicy,
  episodes: readonly Episode[],
): (number[] | undefined)[] {
  const plain = isScoringPolicy(policy) ? episodes.map(isPlain) : episodes.map(() => false);
  const out = episodes.map((e, i) => (plain[i] ? new Array<number>(stepsOf(e)).fill(0) : undefined));
  const stretches = episodes.flatMap(({ columns, segments }, episode) =>
    plain[episode]
      ? segments.map(({ from, to }): Stretch => {
          const [seen, chosen] = [columns.observation as Tensor, columns.action as Tensor];
          return { episode, from, seen, chosen, length: to - from };
        })
      : [],
  );
  for (let at = 0; at < stretches.length; at += rows) {
    const some = stretches.slice(at, at + rows);
    const { data } = scorerOf(policy as ScoringPolicy)(weights, ...columnsOf(some));
    some.forEach(({ episode, from, length }, row) => {
      for (let t = 0; t < length; t++) out[episode]![from + t] = data[t * rows + row];
    });
  }
  return out;
}

const isPlain = ({ columns: { observation, action, trace } }: Episode): boolean =>
  observation instanceof Tensor && action instanceof Tensor && trace === undefined;

/** Compiled once per model, for few shapes. */
const scorers = new WeakMap<ScoringPolicy, ReturnType<typeof scorer>>();
const scorer = (policy: ScoringPolicy) =>
  compile(
    (weights: Tree, observation: Tensor, action: Tensor) =>
      policy.score(weights, { view: { observation }, action }).entropy,
    { name: "entropy of texts", host: true },
  );

function scorerOf(policy: ScoringPolicy) {
  const known = scorers.get(policy) ?? scorer(policy);
  scorers.set(policy, known);
  return known;
}

/** Input tokens and target tokens, [time, rows]. */
function columnsOf(some: readonly Stretch[]): [Tensor, Tensor] {
  const longest = some.reduce((most, { length }) => Math.max(most, length), 1);
  const time = longest <= 64 ? 16 * Math.ceil(longest / 16) : 2 ** Math.ceil(Math.log2(longest));
  const filled = (of: (stretch: Stretch) => Tensor) => {
    const data = new Int32Array(time * rows);
    some.forEach((stretch, row) => {
      for (let t = 0; t < stretch.length; t++) data[t * rows + row] = of(stretch).data[stretch.from + t];
    });
    return tensor(data, { shape: [time, rows] });
  };
  return [filled(({ seen }) => seen), filled(({ chosen }) => chosen)];
}
