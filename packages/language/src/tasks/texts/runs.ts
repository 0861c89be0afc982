import type { Generator } from "@reins/core/random";
import { between, until } from "../random.ts";
import { worded } from "../single.ts";

/** Number of runs, the longest, the operation (encode, decode, count), and the nesting depth. */
const sizes = [
  [2, 3, "e", 0],
  [3, 3, "d", 0],
  [4, 5, "ed", 0],
  [6, 9, "ed", 0],
  [9, 9, "ed", 0],
  [3, 4, "d", 1],
  [4, 4, "d", 2],
  [4, 4, "d", 3],
  [5, 9, "t", 3],
] as const;

/**
 * Run-length encoding: e encodes (aaab is 3a1b), d decodes; from level 6 on runs are nested, as in 2(1a3b). t counts
 * each letter, in alphabetical order: 2(1a3b)1a is 3a6b.
 */
export const runs = worded({
  id: "runs",
  about: "Encode and decode runs of the same letter.",
  levels: sizes.length,
  alphabet: "abcdefghijklmnopqrstuvwxyz0123456789():=",
  longest: { prompt: 60, answer: 60 },
  form: /^(?:[a-z]+|(?:[0-9]+[a-z])+)$/,
  make(random, level) {
    const [count, most, kinds, depth] = sizes[level - 1];
    const kind = random.choice(kinds);
    if (kind === "t") {
      const [code, text] = block(random, count, most, depth, "abcd");
      const totals = [..."abcd"].map((c) => `${text.split(c).length - 1}${c}`);
      return [`t:${code}=`, totals.filter((total) => !/^0/.test(total)).join("")];
    }
    const least = depth === 0 ? 1 : 12 * depth;
    const [code, text] = until(
      () => block(random, count, most, depth),
      ([code, text]) => code.length <= 57 && text.length <= (level < 3 ? 10 : 57) && text.length >= least,
    );
    return kind === "e" ? [`e:${text}=`, code] : [`d:${code}=`, text];
  },
});

/** Runs one after another, no two neighbours of the same letter; one of them is a block if there is depth left. */
function block(
  random: Generator,
  count: number,
  most: number,
  depth: number,
  from = "abcdefghijklmnopqrstuvwxyz",
): [code: string, text: string] {
  let [code, text] = ["", ""];
  const deep = depth > 0 ? random.integers(count) : -1;
  for (let i = 0; i < count; i++) {
    const times = between(random, i === deep ? 2 : 1, most);
    if (i === deep) {
      const [inner, body] = block(random, count - 1, most, depth - 1, from);
      code += `${times}(${inner})`;
      text += body.repeat(times);
    } else {
      const letter = until(
        () => random.choice(from),
        (c) => !text.endsWith(c),
      );
      code += `${times}${letter}`;
      text += letter.repeat(times);
    }
  }
  return [code, text];
}
