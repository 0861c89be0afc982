import { defaultRng } from "@reins/core/random";
import { describe, expect, it } from "vitest";
import { textTasks } from "./registry.ts";
import type { Problem } from "./text-task.ts";

const long = 100_000;
const nested = (open: string, inner: string, close: string, times = 20_000) =>
  open.repeat(times) + inner + close.repeat(times);

/** Hostile answers: long, deep, huge, endless, or with a meaning to a program that reads them. */
const nasty = ({ prompt, answer }: Problem): string[] => [
  // Nothing, and look-alikes of nothing.
  ...["", "\0", "\u2028", "\u00a0", "\ufeff", " ".repeat(long), "\n".repeat(long), ",".repeat(long)],
  // Invalid, combined or look-alike characters.
  ...[
    "\ud800",
    "\udfff1",
    "😀".repeat(10_000),
    "e\u0301".repeat(10_000),
    "\u202e321",
    "１２３",
    "٣",
    "ﬀ",
    "İ",
    "K",
  ],
  // Numbers that are too large, too long, or invalid.
  ...[
    "1e308",
    "1e400",
    "-1e400",
    "-0",
    "NaN",
    "Infinity",
    "0x10",
    "0b1",
    "1_000",
    "1n",
    "1/0",
    "0/0",
    "-",
    ".",
  ],
  ...[
    "9".repeat(long),
    `-${"9".repeat(long)}`,
    `0.${"0".repeat(long)}1`,
    `1/${"9".repeat(long)}`,
    `1e${"9".repeat(30)}`,
  ],
  ...["9**9**9**9", "9^9^9^9", "9!!!!", "9".repeat(400) + "*" + "9".repeat(400), "2^(2^(2^(2^(2^9))))"],
  Array(5000).fill("99999999999999999999").join("*"),
  Array(5000).fill("1/99999999999999999999").join("+"),
  // Depth.
  ...[
    nested("(", "1", ")"),
    nested("[", "", "]"),
    nested('{"a":', "1", "}"),
    nested("(1+", "1", ")"),
    "(".repeat(long),
  ],
  ...[
    "-".repeat(long) + "1",
    "!".repeat(long) + "a",
    "~(".repeat(long),
    "1+".repeat(long) + "1",
    "a&".repeat(long) + "a",
  ],
  // Names that every object inherits, and JSON of them.
  ...[
    "__proto__",
    "constructor",
    "toString",
    "hasOwnProperty",
    "valueOf",
    "__proto__,constructor",
    "__proto__=1",
  ],
  ...[
    '{"__proto__":5}',
    '{"__proto__":{"a":1}}',
    '{"toString":1,"valueOf":2}',
    '["__proto__"]',
    '{"a":1,"a":2}',
    "null",
  ],
  // Regular expressions and what they are slow on.
  ...[
    "(a+)+$",
    "(a|a)*b",
    "(.*)*x",
    "[",
    "a{99999999}",
    "\\",
    `${"a".repeat(long)}!`,
    "ab".repeat(20_000),
    "0".repeat(long),
  ],
  // Programs and queries that do not end or use too much.
  ...[
    "for(;;);",
    "x=>{for(;;);}",
    "while(1){}",
    "(function f(){f()})()",
    "2n**(10n**9n)",
    "'x'.repeat(2**30)",
  ],
  ...[
    "Array(1e9).fill(0)",
    "/(a+)+b/.test('a'.repeat(40))",
    "[].indexOf.call({length:2**53-1},1)",
    "throw null",
  ],
  ...["Object.prototype.x=1", "process.exit(1)", "new Proxy({},{get(){for(;;);}})"],
  "with recursive c(x) as (select 1 union all select x+1 from c) select count(*) from c",
  "select hex(zeroblob(500000000))",
  "2024-02-30",
  "99999-99-99",
  // The prompt and the answer, many times.
  ...[
    prompt.repeat(500),
    answer.repeat(2000),
    `${answer},`.repeat(5000),
    `${answer} `.repeat(5000),
    `${answer}\n${answer}`,
  ],
];

// An answer may be anything: its verdict must come, and soon. Endless ones would hit the time limit of these tests.
describe("hostile answers", () => {
  expect(Object.keys(textTasks).length).toBeGreaterThan(50);
  for (const task of Object.values(textTasks))
    it(`to ${task.id}`, async () => {
      for (const level of [1, task.levels]) {
        const problem = { ...task.make(defaultRng([3, level]), level), level };
        for (const answer of nasty(problem)) {
          const { score, wellFormed } = await task.verify(problem, answer);
          const said = `level ${level}: ${JSON.stringify(answer.slice(0, 50))}`;
          expect(score >= 0 && score <= 1 && typeof wellFormed === "boolean", said).toBe(true);
          expect(wellFormed || score === 0, said).toBe(true);
        }
      }
    });
});
