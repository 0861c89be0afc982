import { until } from "../random.ts";
import { numbered } from "../single.ts";
import { closed } from "./random-scripts.ts";
import { script, value } from "./scripts.ts";

/** The output of a JavaScript program. */
export const programOutput = numbered({
  id: "program-output",
  about: "Give the value of the last expression of a JavaScript program.",
  levels: closed.length,
  alphabet: "0123456789+-*%=<>;(){}abfijorsx",
  longest: { prompt: 95, answer: 5 },
  make(random, level) {
    const [drawn, result] = until(
      () => {
        const s = closed[level - 1](random);
        return [s, value(s, 0)] as const;
      },
      ([, v]) => v !== undefined,
    );
    return [`${script(drawn)}=`, result!];
  },
});
