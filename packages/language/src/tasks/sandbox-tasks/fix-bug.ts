import { some, until } from "../random.ts";
import { textTask } from "../text-task.ts";
import { open } from "./random-scripts.ts";
import { changes, judged, type Script, script, value } from "./scripts.ts";

/** Inputs of hidden tests. */
const inputs = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
const values = (of: Script, xs: readonly number[]) => xs.map((x) => value(of, x));
const agree = (a: Script, b: Script, xs: readonly number[]) => xs.every((x) => value(a, x) === value(b, x));

/** A correct script, one with a bug, and examples that allow only one single-change fix. */
function bug(random: Parameters<(typeof open)[number]>[0], level: number) {
  // At the highest level the bug is a number before the last expression, and further off, so that it is not obvious.
  const hidden = level === open.length;
  const far = hidden ? 9 : 4;
  for (;;) {
    const good = until(
      () => open[level - 1](random),
      (s) => values(s, inputs).every((v) => v !== undefined),
    );
    const bad = random.choice(
      [...changes(good, far, !hidden)].filter((s) => !hidden || s.result === good.result),
    );
    const shown = some(random, level < 4 ? 2 : 3, inputs).sort((a, b) => a - b);
    if (agree(good, bad, shown) || values(bad, inputs).includes(undefined)) continue;
    const mended = [...changes(bad, far)].filter((s) => agree(s, good, shown));
    if (mended.every((s) => agree(s, good, inputs))) return { good, bad, shown };
  }
}

/** Programs with one bug. Any program with the behaviour of the correct one is right. */
export const fixBug = textTask<{ expected: readonly number[] }>({
  id: "fix-bug",
  about:
    "One number or operator of a JavaScript program in x is wrong. Fix it so that each x before a colon gives the value after it.",
  levels: open.length,
  alphabet: "0123456789+-*%=<>;(){}abfijorsx|: ",
  longest: { prompt: 120, answer: 95 },
  make(random, level) {
    const { good, bad, shown } = bug(random, level);
    const examples = shown.map((x) => `${x}:${value(good, x)}`).join(" ");
    return {
      prompt: `${script(bad)}|${examples}=`,
      answer: script(good),
      data: { expected: values(good, inputs) as number[] },
    };
  },
  verify: ({ data: { expected } }, answer) => judged(answer, "x", inputs, expected),
  nearMisses({ prompt, answer, data: { expected } }) {
    const [bad, examples] = prompt.slice(0, -1).split("|");
    const table = examples
      .split(" ")
      .map((e) => e.replace(":", "?"))
      .join("");
    const shown = examples.split(" ").map((e) => e.split(":"));
    // Programs that fit only the examples, or only the form.
    const memorised = `${shown.map(([x, v]) => `x==${x}?${v}:`).join("")}${expected[0] + 1}`;
    return [bad, `${answer}+1`, memorised, `x=>${answer}`, table, "x;for(;;);", ""];
  },
});
