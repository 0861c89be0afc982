import {
  add,
  and,
  cast,
  concat,
  div,
  full,
  maximum,
  mul,
  ne,
  scan,
  slice,
  sub,
  sum,
  type Tensor,
  where,
  zeros,
} from "@reins/tensor";
import type { Columns } from "../batch.ts";
import { fail } from "../errors.ts";
import { settingAt } from "../signals/live.ts";
import type { Target } from "../target.ts";
import { inEpisodeOrder } from "./episode-order.ts";
import type { GaeOptions } from "./gae.ts";

/**
 * GAE over turns, for an utterance-level critic above a token-level policy (ArCHer, Zhou et al., 2024): the
 * critic's output at the start of a turn is the value of the conversation before it, rewards up to the next turn belong to the turn, and each of
 * its tokens has its advantage. Discounting is per turn, too. Reads `reward`, `value`, `alive` and `turn`, each [time, rows]; without `turn` a text is one turn. `opens` weights the steps on
 * which the critic is trained: the first steps of turns, with mean 1.
 */
export function turnGae(options: GaeOptions): Target<Columns, "advantage" | "return" | "opens"> {
  return (columns) => inEpisodeOrder(columns, (ordered) => overTurns(options, ordered));
}

function overTurns({ gamma, lambda }: GaeOptions, columns: Columns) {
  const { reward, value, alive, turn = cast(alive as Tensor, "i32") } = columns as { [name: string]: Tensor };
  if (value.rank !== 2)
    fail("turnGae", "needs whole texts as columns [time, rows]. Use a policy with memory.");
  const [time, rows] = value.shape;
  const none = zeros([rows]);
  const begin = full([1, rows], -1, "i32");
  const before = time === 1 ? begin : concat([begin, slice(turn, [[0, time - 1]])]);
  const first = and(alive, ne(turn, before));
  const g = settingAt(gamma, columns);
  const decay = mul(settingAt(lambda, columns), g);
  // A number that is equal for all steps stays outside the loop.
  const own = (x: Tensor | number) => typeof x !== "number" && x.rank > 0;
  const rates = { ...(own(g) ? { g: g as Tensor } : {}), ...(own(decay) ? { decay } : {}) };
  const { ys: atFirst } = scan(
    (later: Later, { r, v, begins, ...rate }: Step) => {
      const rewards = add(r, later.rewards);
      const error = sub(add(rewards, mul(later.value, rate.g ?? g)), v);
      const advantage = add(error, mul(later.advantage, rate.decay ?? decay));
      const now = {
        value: where(begins, v, later.value),
        advantage: where(begins, advantage, later.advantage),
        rewards: where(begins, 0, rewards),
      };
      return [now, now.advantage];
    },
    { value: none, advantage: none, rewards: none },
    { r: reward, v: value, begins: first, ...rates } as Step,
    { reverse: true },
  );
  // All tokens of a turn get the advantage at its start.
  const { ys: advantage } = scan(
    (now: Tensor, { found, begins }: { found: Tensor; begins: Tensor }) => {
      const held = where(begins, found, now);
      return [held, held];
    },
    none,
    { found: atFirst, begins: first },
  );
  const counts = (x: Tensor) => sum(cast(x, "f32"));
  const opens = mul(cast(first, "f32"), div(counts(alive), maximum(counts(first), 1)));
  return { advantage, return: add(advantage, value), opens };
}

type Step = { r: Tensor; v: Tensor; begins: Tensor; g?: Tensor; decay?: Tensor };

/** State of the backward loop: the next turn's value and advantage, and rewards since then. */
type Later = { value: Tensor; advantage: Tensor; rewards: Tensor };
