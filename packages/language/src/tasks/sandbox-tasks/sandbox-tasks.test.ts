import { defaultRng } from "@reins/core/random";
import { getQuickJS } from "quickjs-emscripten";
import { describe, expect, it } from "vitest";
import { linearProgram as solver } from "../../sandboxes/linear-program.ts";
import { sql as engine } from "../../sandboxes/sql.ts";
import { sampleProblem, splitOf } from "../sample-problem.ts";
import { laws, type Subject, sameNumber } from "../testing.ts";
import type { TextTask } from "../text-task.ts";
import * as tasks from "./index.ts";
import { inputs as hidden } from "./list-induction.ts";
import { inputsFor } from "./program.ts";
import { database, sameRows } from "./sql.ts";

/** The laws with fewer samples: each answer is run several times. */
const programLaws = <T>(subject: Subject<T>) => laws({ share: 0.2, slow: true, ...subject });

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Stores the reference answer of each prompt, for judges that compare behaviour with it. */
function remembered<T>(task: TextTask<T>): { task: TextTask<T>; reference: (prompt: string) => string } {
  const answers = new Map<string, string>();
  return {
    task: {
      ...task,
      make(random, level) {
        const problem = task.make(random, level);
        answers.set(problem.prompt, problem.answer);
        return problem;
      },
    },
    reference: (prompt) => answers.get(prompt) ?? "undefined",
  };
}

const quickjs = await getQuickJS();
const context = quickjs.newContext();
let left = 0;
context.runtime.setInterruptHandler(() => left-- < 0);
context.evalCode(`const inputs={};
const valuesOf=(code,name,of)=>{
  const before=Object.keys(globalThis);
  const plain=v=>{
    if(typeof v=="function"||typeof v=="symbol")throw 0;
    return v===undefined?"undefined":typeof v!="number"||Number.isFinite(v)?v:String(v);
  };
  try{
    let fast;
    try{fast=new Function(name,"return(\\n"+code+"\\n)")}catch{}
    const slow=name=="x"?x=>(0,eval)("x=>eval("+JSON.stringify(code)+")")(x):a=>(0,eval)("a=>eval("+JSON.stringify(code)+")")(a);
    return JSON.stringify(JSON.parse(inputs[of]).map((v,i)=>plain(i&&fast?fast(v):slow(v))));
  }finally{
    for(const k of Object.keys(globalThis))if(!before.includes(k))delete globalThis[k];
  }
}`);
/** Registers a list of inputs under a name. */
function known(of: string, inputs: readonly unknown[]): string {
  context.evalCode(`inputs.${of}=${JSON.stringify(JSON.stringify(inputs))}`);
  return of;
}
/** The values of a script for inputs as one text; undefined where it throws or never ends. Without the sandbox. */
function values(code: string, name: string, of: string): string | undefined {
  left = 10;
  const result = context.evalCode(`valuesOf(${JSON.stringify(code)},"${name}","${of}")`);
  const value = result.error ? undefined : (context.dump(result.value) as string);
  (result.error ?? result.value).dispose();
  return value;
}
const references = new Map<string, string | undefined>();
const likeReference =
  (reference: (prompt: string) => string, inputs: { readonly [name: string]: string }, variable?: string) =>
  (prompt: string, answer: string): boolean => {
    const name = variable ?? (prompt.startsWith("a ") ? "a" : "x");
    const code = answer.replace(/^[ \t\r\n]+/, "").replace(/[ \t\r\n]+$/, "");
    if (code === "" || code.length > 1000) return false;
    const key = `${inputs[name]} ${prompt}`;
    if (!references.has(key)) references.set(key, values(reference(prompt), name, inputs[name]));
    const found = values(code, name, inputs[name]);
    return found !== undefined && found === references.get(key);
  };

const canonical = (v: Json): string =>
  Array.isArray(v)
    ? `[${v.map(canonical)}]`
    : typeof v === "object" && v !== null
      ? `{${Object.keys(v)
          .sort()
          .map((k) => `${JSON.stringify(k)}:${canonical(v[k])}`)}}`
      : JSON.stringify(v);
function sameJson(answer: string, value: Json): boolean {
  try {
    // A duplicate key is visible only in the text.
    const keys = (text: string) => text.match(/"\s*:/g)?.length;
    const right = canonical(value);
    return canonical(JSON.parse(answer)) === right && keys(answer) === keys(right);
  } catch {
    return false;
  }
}

/** The JSON text at the beginning of a prompt, and the rest. */
function split(prompt: string): [Json, string] {
  // No string here has an unpaired bracket.
  let [depth, end] = [0, 0];
  do {
    if ("{[".includes(prompt[end])) depth++;
    if ("}]".includes(prompt[end])) depth--;
    end++;
  } while (depth > 0);
  return [JSON.parse(prompt.slice(0, end)), prompt.slice(end)];
}

function extracted(prompt: string): Json {
  let [value, path] = split(prompt);
  for (path = path.slice(0, -1); path !== ""; ) {
    const [whole, sum, key, index, all, by, least] =
      /^(?:(\.sum)|\.(\w)|\[(\d+)\]|(\[\])|\[(\w)>(\d+)\])/.exec(path)!;
    path = path.slice(whole.length);
    const rows = value as Record<string, Json>[];
    if (sum) value = (value as number[]).reduce((x, y) => x + y);
    else if (by) value = rows.filter((row) => (row[by] as number) > +least);
    else if (index) value = (value as Json[])[+index];
    else if (key && Array.isArray(value)) value = rows.map((row) => row[key]);
    else if (key) value = (value as Record<string, Json>)[key];
    else if (!all) throw new Error(prompt);
  }
  return value;
}

function edited(prompt: string): Json {
  const [root, rest] = split(prompt);
  for (const edit of rest.slice(1, -1).split(";")) {
    const [, minus, path, op, text] = /^(-?)([a-z.]+)(\+=|=|<)?(.*)$/.exec(edit)!;
    const keys = path.split(".");
    const last = keys.pop()!;
    const row = keys.reduce((v, k) => (v as Record<string, Json>)[k], root) as Record<string, Json>;
    if (minus) delete row[last];
    else if (op === "=") row[last] = JSON.parse(text);
    else if (op === "+=") (row[last] as number) += +text;
    else (row[last] as Json[]).push(JSON.parse(text));
  }
  return root;
}

/** Whether a value satisfies a schema, for the task's keywords. */
function satisfies(schema: Record<string, never>, v: Json): boolean {
  const s = schema as Record<string, unknown> as {
    type?: string;
    const?: Json;
    enum?: Json[];
    not?: Record<string, never>;
    minimum?: number;
    maximum?: number;
    exclusiveMinimum?: number;
    multipleOf?: number;
    pattern?: string;
    items?: Record<string, never>;
    minItems?: number;
    uniqueItems?: boolean;
    properties?: Record<string, Record<string, never>>;
    required?: string[];
  };
  const type = v === null ? "null" : Array.isArray(v) ? "array" : Number.isInteger(v) ? "integer" : typeof v;
  if (s.type && s.type !== type) return false;
  if ("const" in s && canonical(s.const!) !== canonical(v)) return false;
  if (s.enum && !s.enum.some((e) => canonical(e) === canonical(v))) return false;
  if (s.not && satisfies(s.not, v)) return false;
  if (typeof v === "number") {
    if (v < (s.minimum ?? v) || v > (s.maximum ?? v)) return false;
    if (s.exclusiveMinimum !== undefined && v <= s.exclusiveMinimum) return false;
    if (s.multipleOf && v % s.multipleOf !== 0) return false;
  }
  if (typeof v === "string" && s.pattern && !new RegExp(s.pattern).test(v)) return false;
  if (Array.isArray(v)) {
    if (v.length < (s.minItems ?? 0)) return false;
    if (s.uniqueItems && new Set(v.map(canonical)).size < v.length) return false;
    return v.every((item) => !s.items || satisfies(s.items, item));
  }
  if (type === "object") {
    const row = v as Record<string, Json>;
    if (s.required?.some((k) => !Object.hasOwn(row, k))) return false;
    return Object.entries(s.properties ?? {}).every(
      ([k, p]) => !Object.hasOwn(row, k) || satisfies(p, row[k]),
    );
  }
  return true;
}

function schemaHolds(prompt: string, answer: string): boolean {
  const [schema, rest] = split(prompt);
  let value: Json;
  try {
    value = JSON.parse(answer);
  } catch {
    return false;
  }
  const fact = /^ (\w):(.*)=$/.exec(rest);
  if (fact && !sameJson(fact[2], (value as Record<string, Json>)?.[fact[1]] ?? null)) return false;
  return satisfies(schema as Record<string, never>, value);
}

const optima = new Map<string, number>();
/** A prompt in the LP format. */
function lp(prompt: string, whole: boolean): string {
  const [goal, ...rows] = prompt.slice(0, -1).split(";");
  const spaced = (sum: string) => sum.replace(/(\d)([xyzw])/g, "$1 $2").replace(/\+/g, " + ");
  const names = [...new Set(prompt.slice(4).match(/[xyzw]/g))];
  return [
    goal.startsWith("max") ? "Maximize" : "Minimize",
    ` o: ${spaced(goal.slice(4))}`,
    "Subject To",
    ...rows.map((row, i) => ` c${i}: ${spaced(row)}`),
    ...(whole ? ["General", ` ${names.join(" ")}`] : []),
    "End",
  ].join("\n");
}
/** Whether an answer is feasible and as good as the reference, which is checked by HiGHS below. */
function optimal(whole: boolean, reference: (prompt: string) => string) {
  return (prompt: string, answer: string): boolean => {
    const [goal, ...rows] = prompt.slice(0, -1).split(";");
    const parts = answer.trim().split(",");
    const form = whole ? /^-?\d+(\.0+|\/1)?$/ : /^-?\d+(\/\d+|\.\d+)?$/;
    const names = [..."xyzw"].filter((name) => goal.slice(4).includes(name));
    if (parts.length !== names.length || !parts.every((p) => form.test(p) && p.length <= 40)) {
      if (!whole || parts.length !== names.length || !parts.every((p) => /^-?\d+\/\d+$/.test(p)))
        return false;
    }
    const numbers = (list: readonly string[]) =>
      list.map((p) => ((n, d = "1") => +n / +d)(...(p.split("/") as [string, string?])));
    const x = numbers(parts);
    if (x.some((v) => !(v >= 0) || (whole && !Number.isInteger(v)))) return false;
    const sum = (text: string, of: readonly number[]) =>
      text.split("+").reduce((s, term) => s + (+term.slice(0, -1) || 1) * of[names.indexOf(term.at(-1)!)], 0);
    const kept = rows.every((row) => {
      const [left, right] = row.split(/[<>]=/);
      return row.includes("<") ? sum(left, x) <= +right + 1e-9 : sum(left, x) >= +right - 1e-9;
    });
    const best = numbers(reference(prompt).split(","));
    return kept && Math.abs(sum(goal.slice(4), x) - sum(goal.slice(4), best)) < 1e-9;
  };
}

const letters = "abcdefghijklmnopqrstuvwxyz";
const trimmed = (answer: string) => answer.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, "");

function fullestSack(prompt: string, answer: string): boolean {
  const [things, room] = prompt.slice(0, -1).split("|");
  const list = things.split(" ").map((t) => t.slice(1).split(":").map(Number));
  const worth = (set: number) => {
    let [weight, sum] = [0, 0];
    for (let i = 0; i < list.length; i++)
      if (set & (1 << i)) {
        weight += list[i][0];
        sum += list[i][1];
      }
    return weight <= +room ? sum : -1;
  };
  const text = trimmed(answer);
  if (text === "" || text.length > list.length || new Set(text).size < text.length) return false;
  if ([...text].some((c) => !letters.slice(0, list.length).includes(c))) return false;
  if (!optima.has(prompt)) {
    let best = 0;
    for (let set = 0; set < 1 << list.length; set++) best = Math.max(best, worth(set));
    optima.set(prompt, best);
  }
  return worth([...text].reduce((set, c) => set | (1 << letters.indexOf(c)), 0)) === optima.get(prompt);
}

function cheapestRows(prompt: string, answer: string): boolean {
  const costs = prompt
    .slice(0, -1)
    .split("/")
    .map((row) => row.split(" ").map(Number));
  const cheapest = (row: number, taken: number): number =>
    row === costs.length
      ? 0
      : Math.min(
          ...costs[row].map((c, i) => (taken & (1 << i) ? 1e9 : c + cheapest(row + 1, taken | (1 << i)))),
        );
  const text = trimmed(answer);
  if (text.length !== costs.length || [...text].sort().join("") !== letters.slice(0, costs.length))
    return false;
  if (!optima.has(prompt)) optima.set(prompt, cheapest(0, 0));
  return [...text].reduce((s, c, row) => s + costs[row][letters.indexOf(c)], 0) === optima.get(prompt);
}

programLaws({
  task: tasks.jsonExtract,
  right: (prompt, answer) => sameJson(answer, extracted(prompt)),
  most: { prompt: 175 },
  examples: [
    { prompt: '{"a":3,"b":5}.b=', data: { value: 5 }, right: ["5", "5.0", " 5"], wrong: ["3", '"5"', "5,3"] },
    { prompt: '[{"a":3,"b":5}][b>4].a=', data: { value: [3] }, right: ["[3]", "[ 3 ]"], wrong: ["3"] },
    {
      prompt: '[{"a":3,"b":5},{"a":9,"b":2},{"a":4,"b":6}][b>4].a.sum=',
      data: { value: 7 },
      right: ["7"],
      wrong: ["16", "[7]", "[3,4]"],
    },
  ],
});
programLaws({
  task: tasks.jsonEdit,
  right: (prompt, answer) => sameJson(answer, edited(prompt)),
  most: { prompt: 180, answer: 160 },
  examples: [
    {
      prompt: '{"a":3,"b":[1]} a+=2;b<4:',
      data: { value: { a: 5, b: [1, 4] } },
      right: ['{"a":5,"b":[1,4]}', '{ "b": [1, 4], "a": 5 }'],
      wrong: ['{"a":3,"b":[1]}', '{"a":5,"b":[4,1]}', '{"a":5,"b":[1,4],"c":0}'],
    },
  ],
});
programLaws({
  task: tasks.jsonSchema,
  right: schemaHolds,
  most: { prompt: 245 },
  examples: [
    {
      prompt: '{"type":"integer","minimum":3,"maximum":5}=',
      data: { schema: '{"type":"integer","minimum":3,"maximum":5}', facts: {} },
      right: ["3", "4", "5", "4.0"],
      wrong: ["2", "6", "4.5", '"4"', "[4]"],
    },
  ],
});
const zero = known("zero", [0]);
programLaws({
  task: tasks.programOutput,
  right: sameNumber((prompt) => BigInt(values(prompt.slice(0, -1), "x", zero)!.slice(1, -1))),
  examples: [
    { prompt: "s=0;for(i=0;i<4;i++)s+=i*2;s=", right: ["12"], wrong: ["8", "20"] },
    { prompt: "a=26;if(a>=48)a-=a+6;a+9=", right: ["35"], wrong: ["29"] },
    { prompt: "a=40;b=7;a=", right: ["40"], wrong: ["7"] },
  ],
});
const induction = remembered(tasks.induction);
const far = known(
  "far",
  Array.from({ length: 61 }, (_, i) => i),
);
programLaws({
  task: induction.task,
  right: likeReference((p) => (p === "1:3 4:6=" ? "x+2" : induction.reference(p)), { x: far }),
  examples: [
    {
      prompt: "1:3 4:6=",
      data: { expected: Array.from({ length: 41 }, (_, i) => i + 2) },
      right: ["x+2", "2+x", "x- -2", "[x+2][0]"],
      wrong: ["x+3", "3", "x==1?3:6", "x=>x+2"],
    },
  ],
});
const fixBug = remembered(tasks.fixBug);
const near = Array.from({ length: 13 }, (_, i) => i);
programLaws({
  task: fixBug.task,
  right: likeReference((p) => (p === "x+2|1:4 4:7=" ? "x+3" : fixBug.reference(p)), {
    x: known("near", near),
  }),
  most: { answer: 95 },
  examples: [
    {
      prompt: "x+2|1:4 4:7=",
      data: { expected: near.map((x) => x + 3) },
      right: ["x+3", "s=3;s+x"],
      wrong: ["x+2", "x==1?4:7", "x+3;0"],
    },
  ],
});
const program = remembered(tasks.program);
const alike = likeReference(
  (p) => ({ "x plus 3:": "x+3", "x plus 3, times 4 in 6:": "4*x+12" })[p] ?? program.reference(p),
  {
    x: known("numbers", inputsFor("x", 1)),
    a: known("lists", [...inputsFor("a", 1), ...inputsFor("a", 2)]),
  },
);
programLaws({
  task: program.task,
  right: (prompt, answer) =>
    alike(prompt, answer) && !(trimmed(answer).length > +(/ in (\d+):$/.exec(prompt)?.[1] ?? 1000)),
  most: { answer: 110 },
  examples: [
    {
      prompt: "x plus 3:",
      data: { on: "x", expected: inputsFor("x").map((x) => (x as number) + 3) },
      right: ["x+3", "3+x", "{let y=x;y+3}"],
      wrong: ["x*3", "x+'3'", "x=>x+3", "3"],
    },
    {
      prompt: "x plus 3, times 4 in 6:",
      data: { on: "x", expected: inputsFor("x").map((x) => ((x as number) + 3) * 4), most: 6 },
      right: ["4*x+12", "x*4+12", " 12+x*4 "],
      wrong: ["(x+3)*4", "4*x+3", "4*x + 12", "x+12"],
    },
  ],
});
const lists = ((r) =>
  Array.from({ length: 40 }, (_, i) => Array.from({ length: 3 + (i % 7) }, () => r.integers(-9, 16))))(
  defaultRng(8),
);
const listInduction = remembered(tasks.listInduction);
programLaws({
  task: listInduction.task,
  right: likeReference(
    (p) => (p === "3,1,2>1 5,4,9>4=" ? "a[1]" : listInduction.reference(p)),
    { a: known("filled", lists) },
    "a",
  ),
  most: { prompt: 150, answer: 90 },
  examples: [
    {
      prompt: "3,1,2>1 5,4,9>4=",
      data: { expected: hidden.map((a) => a[1]) },
      right: ["a[1]", "a.slice(1)[0]", "a.at(1)"],
      wrong: ["a[2]", "1", "Math.min(...a)", "a=>a[1]"],
    },
  ],
});
programLaws({
  task: tasks.knapsack,
  right: fullestSack,
  examples: [
    {
      prompt: "a2:3 b3:4 c4:5|5=",
      data: { room: 5, weights: [2, 3, 4], worths: [3, 4, 5], best: 7 },
      right: ["ab", "ba"],
      wrong: ["c", "abc", "aab", "a"],
    },
  ],
});
programLaws({
  task: tasks.assignment,
  right: cheapestRows,
  most: { prompt: 192 },
  examples: [
    {
      prompt: "1 2/3 4=",
      data: {
        costs: [
          [1, 2],
          [3, 4],
        ],
        least: 5,
      },
      right: ["ab", "ba"],
      wrong: ["aa", "a", "abc"],
    },
  ],
});
const integerProgram = remembered(tasks.integerProgram);
programLaws({
  task: integerProgram.task,
  right: optimal(true, (p) => (p === "max 3x+2y;2x+2y<=9=" ? "4,0" : integerProgram.reference(p))),
  examples: [
    {
      prompt: "max 3x+2y;2x+2y<=9=",
      data: { goal: "max", costs: [3, 2], rows: [[2, 2]], limits: [9], best: 12 },
      right: ["4,0", "4/1,0"],
      wrong: ["3,1", "9/2,0", "5,0", "4"],
    },
  ],
});
const linearProgram = remembered(tasks.linearProgram);
programLaws({
  task: linearProgram.task,
  right: optimal(false, (p) => (p === "max 2x+2y;2x+2y<=9=" ? "9/2,0" : linearProgram.reference(p))),
  examples: [
    {
      prompt: "max 2x+2y;2x+2y<=9=",
      data: { goal: "max", costs: [2, 2], rows: [[2, 2]], limits: [9], best: "9" },
      right: ["9/2,0", "0,4.5", "1,7/2"],
      wrong: ["4,0", "5,0", "-1,11/2"],
    },
  ],
});
describe("sql", () => {
  const task = tasks.sql;
  const levels = Array.from({ length: task.levels }, (_, i) => i + 1);
  const at = (level: number, index: number) => ({ ...task.make(defaultRng([index, level]), level), level });
  const open = engine({ characters: 50_000 });

  /** Whether a query has the result of the reference in databases that the verifier does not use. */
  async function right({ data }: ReturnType<typeof at>, query: string): Promise<boolean> {
    for (const [seed, rows] of [
      [1, 60],
      [2, 33],
      [3, 12],
    ]) {
      const on = database(data, data.seed + seed, rows);
      const [a, b] = [
        await open.run({ database: on, query }),
        await open.run({ database: on, query: data.query }),
      ];
      if (a.status !== "ok" || !sameRows(a.value!, b.value!, data.order !== undefined)) return false;
    }
    return true;
  }

  it("accepts its own reference answers, within its alphabet and length", async () => {
    const alphabet = new Set(task.alphabet);
    for (const level of levels)
      for (let i = 0; i < 40; i++) {
        const problem = at(level, i);
        expect(at(level, i)).toEqual(problem);
        expect([...problem.prompt, ...problem.answer].filter((c) => !alphabet.has(c))).toEqual([]);
        expect(problem.prompt.length).toBeLessThanOrEqual(level === 1 ? 30 : task.longest.prompt);
        expect(problem.answer.length).toBeLessThanOrEqual(level === 1 ? 15 : task.longest.answer);
        if (i < 5)
          expect(await task.verify(problem, ` ${problem.answer}\n`)).toEqual({
            score: 1,
            wellFormed: true,
          });
      }
  });

  it("rejects near misses, and agrees with other databases on changed queries", async () => {
    let [changed, accepted] = [0, 0];
    for (const level of levels)
      for (let i = 0; i < 4; i++) {
        const problem = at(level, i);
        const random = defaultRng([i, level]);
        for (const wrong of task.nearMisses!(problem, random))
          expect((await task.verify(problem, wrong)).score, `${problem.prompt} ${wrong}`).toBe(0);
        for (let k = 0; k < 10; k++) {
          const characters = [...problem.answer];
          // After the first word, since a broken one is rejected at once.
          characters.splice(
            7 + random.integers(characters.length - 7),
            random.integers(2),
            random.choice(task.alphabet),
          );
          const query = characters.join("");
          const { score } = await task.verify(problem, query);
          changed++;
          accepted += score;
          expect(score === 1, `${problem.prompt} ${query}`).toBe(await right(problem, query));
        }
      }
    expect(accepted).toBeLessThan(changed / 4);
  });

  it("accepts other queries with the same rows, and rejects constants, writing and nonsense", async () => {
    const tables = { t: ["a", "b"] };
    const data = { tables, words: "sum(a) if b>3", query: "select sum(a) from t where b>3", seed: 5 };
    const problem = { prompt: "t(a,b):sum(a) if b>3=", answer: data.query, level: 3, data };
    const score = async (answer: string) => (await task.verify(problem, answer)).score;
    for (const good of [
      "SELECT SUM(a) FROM t WHERE b > 3",
      "select sum(a) from t where not b<=3;",
      "with u as (select * from t where b>=4) select sum(u.a) from u",
      "select total(a) from t where b>3",
    ])
      expect(await score(good), good).toBe(1);
    const on = database(data, data.seed, 30);
    const { value } = await open.run({ database: on, query: data.query });
    for (const bad of [
      `select ${value!.rows[0][0]}`,
      "select sum(a) from t",
      "select sum(b) from t where b>3",
      "select sum(a),1 from t where b>3",
      "select a from t where b>3",
      "delete from t",
      "update t set a=0",
      "pragma query_only=0",
      "with recursive c(x) as (select 1 union all select x+1 from c) select count(*) from c",
      "select sum(a) from t where b>3; select 1",
      "x".repeat(10_000),
      "(".repeat(10_000),
      "select ".repeat(1_000),
    ])
      expect(await score(bad), bad.slice(0, 60)).toBe(0);
    // No attempt has changed the databases.
    expect(await score(data.query)).toBe(1);
  });

  it("requires exactly the tables that connect the columns", async () => {
    const tables = { p: ["a", "f"], q: ["f", "b", "g"], r: ["g", "c"], s: ["f", "d"], t: ["c", "e"] };
    const joined = "from p join q using(f) join r using(g) where c>3";
    const data = { tables, words: "a,b if c>3", query: `select a,b ${joined}`, seed: 5 };
    const problem = {
      prompt: "p(a,f) q(f,b,g) r(g,c) s(f,d) t(c,e):a,b if c>3=",
      answer: data.query,
      level: 9,
      data,
    };
    const score = async (answer: string) => (await task.verify(problem, answer)).score;
    for (const good of [
      data.query,
      "select a,b from r natural join q natural join p where c>3",
      "select p.a,q.b from p,q,r where p.f=q.f and q.g=r.g and c>=4",
    ])
      expect(await score(good), good).toBe(1);
    for (const bad of [
      `select b,a ${joined}`,
      `select distinct a,b ${joined}`,
      "select a,b from p join q using(f) where g>3",
      "select a,b from p natural join q natural join r natural join s where c>3",
      "select a,b from p natural join q natural join r natural join t where c>3",
      "select a,b from p,q,r where c>3",
    ])
      expect(await score(bad), bad).toBe(0);
  });

  it("has many problems in both splits, and none in both", () => {
    for (const level of levels) {
      const train = Array.from({ length: 10 }, (_, i) => sampleProblem(task, level, "train", i).prompt);
      const test = Array.from({ length: 10 }, (_, i) => sampleProblem(task, level, "test", i).prompt);
      expect(train.every((p) => splitOf(p) === "train") && test.every((p) => splitOf(p) === "test")).toBe(
        true,
      );
      expect(new Set(Array.from({ length: 300 }, (_, i) => at(level, i).prompt)).size).toBeGreaterThan(
        level < 3 ? 100 : 270,
      );
    }
    expect(new Set(Array.from({ length: 2500 }, (_, i) => at(task.levels, i).prompt)).size).toBeGreaterThan(
      2490,
    );
  });
});

describe("linear programs", () => {
  it("are solved as well as by HiGHS in its sandbox", async () => {
    const sandbox = solver({ milliseconds: 20_000 });
    for (const [task, whole] of [
      [tasks.integerProgram, true],
      [tasks.linearProgram, false],
    ] as const)
      for (let i = 0; i < 3 * task.levels; i++) {
        const { prompt, data } = task.make(defaultRng([i, 3]), 1 + (i % task.levels));
        const { value } = await sandbox.run(lp(prompt, whole));
        const [n, d = 1] = `${data.best}`.split("/").map(Number);
        expect(value?.kind === "optimal" ? value.objective : Number.NaN, prompt).toBeCloseTo(n / d, 6);
      }
  });
});
