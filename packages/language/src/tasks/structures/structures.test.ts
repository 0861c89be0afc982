import { describe, expect, it } from "vitest";
import { laws, sameCharacters, sameNumbers, sameText, trimmed } from "../testing.ts";
import {
  booleans,
  boxes,
  facts,
  instructions,
  mazes,
  owners,
  paths,
  pictures,
  satisfying,
  sudoku,
  wordle,
} from "./index.ts";
import { marks } from "./wordle.ts";

/**
 * The value of a formula of 0, 1, ! & ^ | and parentheses, by replacing its innermost parts until one digit is left.
 */
function reduced(formula: string): string {
  const both = (sign: string, value: (a: string, b: string) => boolean) => (text: string) =>
    text.replace(new RegExp(`([01])\\${sign}([01])`), (_, a, b) => (value(a, b) ? "1" : "0"));
  const steps = [
    (text: string) => text.replace(/\(([01])\)/, "$1"),
    (text: string) => text.replace(/!([01])/, (_, a) => (a === "1" ? "0" : "1")),
    both("&", (a, b) => a === "1" && b === "1"),
    // Lower precedence only where no higher one is adjacent.
    (text: string) => text.replace(/(?<![&!])([01])\^([01])(?!&)/, (_, a, b) => (a !== b ? "1" : "0")),
    (text: string) =>
      text.replace(/(?<![&^!])([01])\|([01])(?![&^])/, (_, a, b) => (a === "1" || b === "1" ? "1" : "0")),
  ];
  for (let text = formula; ; ) {
    const step = steps.find((one) => one(text) !== text);
    if (!step) return text;
    text = step(text);
  }
}

laws({
  task: booleans,
  right: sameCharacters((prompt) => {
    const formula = prompt.slice(0, -1);
    const names = [..."abcde"].filter((name) => formula.includes(name));
    return Array.from({ length: 2 ** names.length }, (_, row) =>
      reduced(
        formula.replace(/[a-e]/g, (name) => `${(row >> (names.length - 1 - names.indexOf(name))) & 1}`),
      ),
    ).join("");
  }),
  examples: [
    { prompt: "1&0|1=", right: ["1"], wrong: ["0", "01", "true"] },
    { prompt: "1|1^1&0=", right: ["1"], wrong: ["0"] },
    { prompt: "!a&b=", right: ["0100"], wrong: ["0010", "100", "00100"] },
  ],
});

/**
 * Connected components as lists of cells, by propagating the lower label between equal neighbours until nothing
 * changes.
 */
function labelled(picture: string[]): { sign: string; cells: [number, number][] }[] {
  const width = picture[0].length;
  const label = picture.flatMap((row, r) => [...row].map((_, c) => r * width + c));
  for (let changed = true; changed; ) {
    changed = false;
    for (let i = 0; i < label.length; i++)
      for (const j of [i - width, i % width > 0 ? i - 1 : -1]) {
        if (j < 0 || label[i] === label[j]) continue;
        const sign = (k: number) => picture[Math.floor(k / width)][k % width];
        if (sign(i) !== sign(j)) continue;
        label[i] = label[j] = Math.min(label[i], label[j]);
        changed = true;
      }
  }
  return [...new Set(label)].map((one) => ({
    sign: picture[Math.floor(one / width)][one % width],
    cells: label.flatMap((x, i): [number, number][] =>
      x === one ? [[Math.floor(i / width) + 1, (i % width) + 1]] : [],
    ),
  }));
}

laws({
  task: pictures,
  right: sameNumbers((prompt) => {
    const [asked, picture] = prompt.slice(0, -1).split(":");
    const found = labelled(picture.split("/"));
    return asked
      .split(",")
      .map(([kind, sign]) => {
        const areas = found.filter((thing) => thing.sign === sign).map(({ cells }) => cells.length);
        if (kind === "c") return picture.split(sign).length - 1;
        return kind === "t" ? areas.length : Math.max(0, ...areas);
      })
      .join(",");
  }),
  examples: [
    { prompt: "c#:.#./..#/...=", right: ["2"], wrong: ["1", "3"] },
    { prompt: "t#,g#:##./..#/#..=", right: ["3,2"], wrong: ["2,2", "3"] },
  ],
});

const sameBoxes = sameCharacters((prompt) => {
  const [signs, picture] = prompt.slice(0, -1).split(":");
  const found = labelled(picture.split("/"));
  const box = (sign: string) => {
    const [{ cells }] = found
      .filter((thing) => thing.sign === sign)
      .sort((a, b) => b.cells.length - a.cells.length);
    const [rows, columns] = [0, 1].map((k) => cells.map((cell) => cell[k]).sort((a, b) => a - b));
    return [rows[0], rows[rows.length - 1], columns[0], columns[columns.length - 1]].join(",");
  };
  return [...signs].map(box).join(";");
});

laws({
  task: boxes,
  // Leading zeros are removed from every number first.
  right: (prompt, answer) => sameBoxes(prompt, answer.replace(/(?<![0-9])0+(?=[0-9])/g, "")),
  examples: [
    {
      prompt: "#:##./.#./..#=",
      data: { boxes: [[1, 2, 1, 2]] },
      right: ["1,2,1,2", "01,2,1,2"],
      wrong: [
        "1,3,1,3",
        "1,2,1",
        "2,1,2,1",
        "1,2,1,2,1",
        "0,2,1,2",
        "1,99999999999999999999,1,2",
        "1,2,1,2;1,2,1,2",
      ],
    },
    {
      prompt: "#o:##o/oo./.o.=",
      data: {
        boxes: [
          [1, 1, 1, 2],
          [2, 3, 1, 2],
        ],
      },
      right: ["1,1,1,2;2,3,1,2"],
      wrong: ["2,3,1,2;1,1,1,2", "1,1,1,2", "1,1,1,2,2,3,1,2"],
    },
  ],
  most: { prompt: 214 },
});

laws({
  task: facts,
  right: sameText((prompt) => {
    const [known, asked] = prompt.slice(0, -1).split("?");
    return asked
      .split(",")
      .map((question) => {
        const [name, ...chain] = question.split(" ");
        return chain.reduce(
          (at, relation) =>
            known
              .split(",")
              .find((fact) => fact.startsWith(`${at} ${relation} `))!
              .slice(-2),
          name,
        );
      })
      .join(",");
  }),
  examples: [
    {
      prompt: "bo pal ki,ki mum lu,lu pal bo?bo pal mum=",
      right: ["lu"],
      wrong: ["ki", "bo", "ki mum lu", "lu,ki"],
    },
    { prompt: "bo pal ki,ki pal bo?ki pal,bo pal=", right: ["bo,ki"], wrong: ["ki,bo"] },
  ],
});

laws({
  task: instructions,
  right(prompt, answer) {
    const [length, demands] = prompt.slice(0, -1).split(":");
    const text = trimmed(answer);
    if (!new RegExp(`^[a-z]{${length}}$`).test(text)) return false;
    return demands.split(" ").every((demand) => {
      const [, kind, number, letters] = /^(.)(\d*)(.*)$/.exec(demand)!;
      const pattern = {
        "^": `^${letters}`,
        $: `${letters}$`,
        "@": `^.{${Number(number) - 1}}${letters}`,
        "+": letters,
        "-": `^[^${letters}]*$`,
        "#": `^([^${letters}]*${letters}){${number}}[^${letters}]*$`,
        u: "^(?!.*(.)\\1)",
      }[kind]!;
      return new RegExp(pattern).test(text);
    });
  },
  examples: [
    {
      prompt: "5:^ab #2c -d=",
      data: { length: 5, demands: ["^ab", "#2c", "-d"] },
      right: ["abccx", "abcbc"],
      wrong: ["abccc", "abccd", "abcc", "bbccx", "ABccx", "ab cc"],
    },
    {
      prompt: "4:u @3a $ab +ca=",
      data: { length: 4, demands: ["u", "@3a", "$ab", "+ca"] },
      right: ["xcab"],
      wrong: ["ccab", "xaab", "cabb"],
    },
  ],
});

laws({
  task: mazes,
  right(prompt, answer) {
    const rows = prompt.slice(0, -1).split("/");
    const way = trimmed(answer);
    const open = (r: number, c: number) => rows[r]?.[c] !== undefined && rows[r][c] !== "#";
    // Distances from S, relaxed until nothing changes.
    const far: number[][] = rows.map((row) => [...row].map((c) => (c === "S" ? 0 : 1e9)));
    let end = 1e9;
    for (let changed = true; changed; ) {
      changed = false;
      rows.forEach((row, r) =>
        [...row].forEach((sign, c) => {
          if (!open(r, c)) return;
          const best =
            Math.min(
              far[r - 1]?.[c] ?? 1e9,
              far[r + 1]?.[c] ?? 1e9,
              far[r][c - 1] ?? 1e9,
              far[r][c + 1] ?? 1e9,
            ) + 1;
          if (best < far[r][c]) [far[r][c], changed] = [best, true];
          if (sign === "E") end = far[r][c];
        }),
      );
    }
    let at = prompt.indexOf("S");
    const width = rows[0].length + 1;
    for (const move of way) {
      at += { u: -width, d: width, l: -1, r: 1 }[move] ?? Number.NaN;
      if (!".SE".includes(prompt[at] ?? "#")) return false;
    }
    return prompt[at] === "E" && way.length === end;
  },
  examples: [
    {
      prompt: "S.#/.../#.E=",
      data: { rows: ["S.#", "...", "#.E"], shortest: 4 },
      right: ["rdrd", "drrd", "rddr", "drdr"],
      wrong: ["rrdd", "rdr", "rdrdlr", "ddrr", "RDRD", "rdrdd", "r d r d"],
    },
  ],
});

laws({
  task: owners,
  right(prompt, answer) {
    // The clues leave one solution: anything consistent with all of them is it.
    const parts = prompt.slice(0, -1).split(":");
    const [people, ...kinds] = parts.slice(0, -1);
    const told = trimmed(answer).split(",");
    if (told.length !== kinds.length) return false;
    if (!kinds.every((kind, i) => [...told[i]].sort().join("") === kind)) return false;
    const owner = (item: string) =>
      people.includes(item) ? people.indexOf(item) : told.map((t) => t.indexOf(item)).find((i) => i >= 0);
    return parts[parts.length - 1]
      .split(",")
      .every(([a, sign, b]) => (owner(a) === owner(b)) === (sign === "="));
  },
  examples: [
    { prompt: "AB:xy:A!x?", right: ["yx"], wrong: ["xy", "yy", "A=y,B=x"] },
    { prompt: "AB:xy:12:A=x,y=1?", right: ["xy,21"], wrong: ["xy,12", "xy", "21,xy"] },
  ],
});

laws({
  task: paths,
  right(prompt, answer) {
    const [roads, ends] = prompt.slice(0, -1).split(":");
    const way = trimmed(answer);
    const names = [...new Set(roads.replace(/[^a-z]/g, ""))];
    const far = new Map<string, number>();
    const get = (a: string, b: string) => (a === b ? 0 : (far.get(a + b) ?? 1e9));
    const step = new Map<string, number>();
    for (const road of roads.split(",")) {
      const length = Number(road.slice(2) || 1);
      for (const pair of [road[0] + road[1], road[1] + road[0]]) {
        far.set(pair, length);
        step.set(pair, length);
      }
    }
    for (const k of names)
      for (const a of names)
        for (const b of names) far.set(a + b, Math.min(get(a, b), get(a, k) + get(k, b)));
    let total = 0;
    for (let i = 1; i < way.length; i++) total += step.get(way[i - 1] + way[i]) ?? 1e9;
    return way[0] === ends[0] && way[way.length - 1] === ends[2] && total === get(ends[0], ends[2]);
  },
  examples: [
    {
      prompt: "ab3,cb2,ac9,ad1,dc4:a>c=",
      data: {
        roads: [
          ["a", "b", 3],
          ["c", "b", 2],
          ["a", "c", 9],
          ["a", "d", 1],
          ["d", "c", 4],
        ],
        from: "a",
        to: "c",
        shortest: 5,
      },
      right: ["abc", "adc"],
      wrong: ["ac", "cba", "abcbc", "a>b>c", "abd", "ABC"],
    },
  ],
  most: { prompt: 184 },
});

laws({
  task: satisfying,
  right(prompt, answer) {
    const [count, clauses] = prompt.slice(0, -1).split(":");
    const text = trimmed(answer);
    if (!/^[01]+$/.test(text) || text.length !== Number(count)) return false;
    // The true literals, as letters.
    const truths = [...text].map((bit, i) => String.fromCharCode((bit === "1" ? 97 : 65) + i)).join("");
    return clauses.split(",").every((clause) => new RegExp(`[${truths}]`).test(clause));
  },
  examples: [
    {
      prompt: "3:aB,c,bC=",
      data: { variables: 3, clauses: ["aB", "c", "bC"] },
      right: ["111"],
      wrong: ["011", "101", "11", "1111", "abc", "aBc"],
    },
    {
      prompt: "2:ab=",
      data: { variables: 2, clauses: ["ab"] },
      right: ["11", "10", "01"],
      wrong: ["00", "1"],
    },
  ],
});

laws({
  task: sudoku,
  right(prompt, answer) {
    const rows = prompt.slice(0, -1).split("/");
    const side = rows.length;
    const told = [...trimmed(answer)];
    const gaps = prompt.split(".").length - 1;
    if (told.length !== gaps) return false;
    const full = rows.map((row) => [...row].map((c) => (c === "." ? told.shift()! : c)));
    const [high, wide] = { 4: [2, 2], 6: [2, 3], 9: [3, 3] }[side]!;
    const all = "123456789".slice(0, side);
    const is = (group: string[]) => [...group].sort().join("") === all;
    const numbers = Array.from({ length: side }, (_, i) => i);
    return (
      full.every(is) &&
      numbers.every((c) => is(full.map((row) => row[c]))) &&
      numbers.every((k) => {
        const [top, left] = [Math.floor(k / high) * high, (k % high) * wide];
        return is(full.slice(top, top + high).flatMap((row) => row.slice(left, left + wide)));
      })
    );
  },
  examples: [
    {
      prompt: "12.4/3412/2143/43.1=",
      data: { grid: "12.43412214343.1", box: [2, 2] },
      right: ["32"],
      wrong: ["23", "3", "33", "322", "52"],
    },
    {
      // Two completions.
      prompt: "..34/34../..43/43..=",
      data: { grid: "..3434....4343..", box: [2, 2] },
      right: ["12122121"],
      wrong: ["11221122"],
    },
  ],
});

laws({
  task: wordle,
  right(prompt, answer) {
    const [head, guesses] = prompt.slice(0, -1).split(":");
    const word = trimmed(answer);
    if (!new RegExp(`^[a-${head.slice(-1)}]{${head.slice(0, -1)}}$`).test(word)) return false;
    const n = word.length;
    return guesses.split(",").every((line) => {
      const [guess, given] = [line.slice(0, n), line.slice(n)];
      // Letter by letter: in place, and then as many elsewhere as the word has left, from the left.
      return [...guess].every((c, i) => {
        if (c === word[i] || given[i] === "+") return c === word[i] && given[i] === "+";
        const placed = [...guess].filter((x, k) => x === c && word[k] === c).length;
        const before = [...guess.slice(0, i)].filter((x, k) => x === c && word[k] !== c).length;
        const has = word.split(c).length - 1;
        return given[i] === (placed + before < has ? "~" : "-");
      });
    });
  },
  examples: [
    {
      prompt: "3d:abc+~-=",
      data: { length: 3, letters: "abcd", guesses: [["abc", "+~-"]] },
      right: ["aab", "adb"],
      wrong: ["abc", "acb", "abd", "aeb", "ab", "aabb", "AAB"],
    },
  ],
  most: { prompt: 169 },
});

describe("marks", () => {
  it("uses each letter of the word only once", () => {
    expect(marks("abca", "aaad")).toBe("+~--");
    expect(marks("baaa", "abbb")).toBe("~~--");
    expect(marks("cab", "cab")).toBe("+++");
  });
});

describe("intersection over union", () => {
  it("is the score from one half on, averaged over the boxes", async () => {
    const box: [number, number, number, number] = [1, 2, 1, 2];
    const problem = (count: number) => ({
      prompt: "",
      answer: "",
      level: 1,
      data: { boxes: Array(count).fill(box) },
    });
    expect((await boxes.verify(problem(1), "1,2,1,3")).score).toBeCloseTo(4 / 6);
    expect((await boxes.verify(problem(1), "1,1,1,2")).score).toBeCloseTo(1 / 2);
    expect((await boxes.verify(problem(1), "1,3,1,3")).score).toBe(0);
    expect((await boxes.verify(problem(2), "1,2,1,2;1,3,1,3")).score).toBeCloseTo(1 / 2);
    expect((await boxes.verify(problem(2), "1,2,1,2")).score).toBe(0);
  });
});

describe("partial credit for constraints", () => {
  it("counts satisfied constraints, if the length is right", async () => {
    const problem = {
      prompt: "",
      answer: "",
      level: 1,
      data: { length: 3, demands: ["^ab", "-c", "#0d", "@3b"] },
    };
    expect((await instructions.verify(problem, "abd")).score).toBe(0.5);
    expect((await instructions.verify(problem, "abdd")).score).toBe(0);
  });
});
