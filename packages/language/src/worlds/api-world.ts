import type { Generator } from "@reins/core";
import { family, type ScriptedPlayer } from "../tasks/family.ts";
import { between, some, until } from "../tasks/random.ts";
import { withSlips, wordTool } from "./world-parts.ts";

const keys = "abcdef";
const flags = "PQRS";

/** What each call needs: a key (`k`), a value (`v`), another key (`m`). Each has a flag of its own beside it, and at times a pass (`p`). */
const needs = { set: "kv", add: "kv", del: "k", mv: "km", get: "k" } as const;
type Name = keyof typeof needs;
const changes: readonly Name[] = ["set", "add", "del", "mv"];

/** Changes that may be asked for, how many at a time, whether calls need a pass, and whether a value must be read first. */
const levels = [
  { names: changes.slice(0, 2), tasks: 1, pass: false, read: false },
  { names: changes, tasks: 1, pass: false, read: false },
  { names: changes, tasks: 2, pass: false, read: false },
  { names: changes, tasks: 1, pass: true, read: false },
  { names: changes.slice(0, 1), tasks: 1, pass: true, read: true },
];

interface Task {
  readonly name: Name;
  readonly k: string;
  /** The new value, or the new key. */
  readonly v?: string;
  readonly m?: string;
  /** What is added to the value that is there: then `v` is not told, and must be found out. */
  readonly plus?: number;
}

interface Service {
  /** Values by key, all of one digit. */
  readonly records: { readonly [key: string]: string };
  /** What each call takes, in order: `k`, `v`, `m`, `p`, or a flag as it stands. */
  readonly docs: { readonly [name: string]: string };
  /** What `call(pass,)` tells. */
  readonly pass: string;
  readonly tasks: readonly Task[];
}

interface Use extends Omit<Service, "records"> {
  records: { [key: string]: string };
  /** Docs that were read, whether the pass was told, and records whose value was. */
  readonly read: string[];
  passed: boolean;
  readonly got: string[];
}

type Records = Use["records"];

/** The records after a change, or what is wrong with it. */
function changed(name: Name, { k, v = "", m = "" }: Partial<Task>, records: Records): Records | string {
  const { [k ?? ""]: old, ...rest } = records;
  if (name === "add") return old === undefined ? { ...rest, [k!]: v } : "has k";
  if (old === undefined) return "no k";
  if (name === "set") return { ...rest, [k!]: v };
  if (name === "del") return rest;
  return rest[m] === undefined ? { ...rest, [m]: old } : "has m";
}

/** What a call answers: `v?` names the first argument that is missing or of the wrong kind. */
function answer(use: Use, name: string, args: string): string {
  if (name === "pass") {
    use.passed = true;
    return use.pass;
  }
  const wanted = Object.hasOwn(use.docs, name) ? use.docs[name] : undefined;
  if (wanted === undefined) return "no";
  const given: Record<string, string> = {};
  for (const [i, kind] of [...wanted].entries()) {
    const c = args[i] ?? "";
    const fits = { k: /^[a-f]$/, m: /^[a-f]$/, v: /^\d$/, p: new RegExp(`^${use.pass}$`) }[kind];
    if (fits ? !fits.test(c) : c !== kind) return `${kind}?`;
    given[kind] = c;
  }
  if (args.length > wanted.length) return "no";
  if (name === "get") {
    use.got.push(given.k);
    return use.records[given.k] ?? "no k";
  }
  const next = changed(name as Name, given, use.records);
  if (typeof next === "string") return next;
  use.records = next;
  return "ok";
}

function makeService(random: Generator, level: number): Service {
  const { names, tasks, pass, read } = levels[level - 1];
  const shuffled = some(random, keys.length, keys);
  const there = shuffled.splice(0, 3);
  const digit = (top = 9) => between(random, 0, top);
  const records = Object.fromEntries(there.map((k) => [k, String(digit(read ? 6 : 9))]));
  const docs = Object.fromEntries(
    Object.entries(needs).map(([name, args]) => {
      const all = [...args, random.choice(flags), ...(pass ? ["p"] : [])];
      return [name, some(random, all.length, all).join("")];
    }),
  );
  const wanted = some(random, tasks, names).map((name): Task => {
    const k = (name === "add" ? shuffled : there).pop()!;
    if (name === "del") return { name, k };
    if (name === "mv") return { name, k, m: shuffled.pop()! };
    // A value that is there already would ask for nothing.
    if (!read)
      return {
        name,
        k,
        v: until(
          () => String(digit()),
          (v) => v !== records[k],
        ),
      };
    const plus = between(random, 1, 3);
    return { name, k, plus, v: String(Number(records[k]) + plus) };
  });
  return { records, docs, pass: String(digit()), tasks: wanted };
}

const written = ({ name, k, v = "", m = "", plus }: Task) =>
  `${name} ${k}${plus === undefined ? v + m : `+${plus}`}`;

/** The records as they should be. */
const goal = ({ records, tasks }: Service): Records =>
  tasks.reduce<Records>((all, t) => changed(t.name, t, all) as Records, records);

/** A call with what its docs ask for. */
function callOf({ docs, pass }: Service | Use, name: Name, task: Task): string {
  const given: Record<string, string | undefined> = { k: task.k, v: task.v, m: task.m, p: pass };
  return `call(${name},${[...docs[name]].map((kind) => given[kind] ?? kind).join("")})`;
}

/** Whether a task is done in these records. */
const isDone = ({ name, k, v, m }: Task, now: Records, before: Records): boolean =>
  name === "del" ? !(k in now) : name === "mv" ? !(k in now) && now[m!] === before[k] : now[k] === v;

const expert: ScriptedPlayer<Service, Use> = ({ data }, { state }) => {
  const { read, docs, passed, got } = state;
  const task = data.tasks.find((t) => !isDone(t, state.records, data.records));
  if (!task) return ".";
  const name = task.plus === undefined || got.includes(task.k) ? task.name : "get";
  if (!read.includes(name)) return `docs(${name})`;
  if (docs[name].includes("p") && !passed) return "call(pass,)";
  return callOf(state, name, task);
};

const anyCall: ScriptedPlayer<Service, Use> = ({ data }, _, random) => {
  const { name, k, v = "0", m = "" } = random.choice(data.tasks);
  const args = some(random, 3, [k, name === "mv" ? m : v, random.choice(flags)]).join("");
  return random.choice([`docs(${name})`, `call(${name},${args})`, "call(pass,)", "."]);
};

/**
 * An API whose calls must be looked up. `set a5` asks for record a to become 5, `add d2` for a new one, `del b` for one less, `mv ad` for
 * another key, `set a+2` for a value that must be read first. `docs(set)` tells what a call takes, in order, which is drawn for each problem:
 * `vQk` is the value, the letter Q as it stands, and the key, so `call(set,5Qa)` does it. `p` is a pass, which `call(pass,)` tells.
 */
export const apiWorld = family<Service, Use>({
  id: "api-world",
  about: "Change records through an API: docs tells what a call takes, call does it.",
  levels: levels.length,
  alphabet: "abcdefghklmnopstv(),.;?+ PQRS0123456789",
  longest: { prompt: 14, answer: 14, talk: 200 },
  turns: 12,
  make(random, level) {
    const data = makeService(random, level);
    const prompt = data.tasks.map(written).join(";");
    return {
      prompt,
      key: JSON.stringify(data),
      answer: callOf(data, data.tasks[0].name, data.tasks[0]),
      data,
    };
  },
  begin: ({ data }) => ({ ...data, records: { ...data.records }, read: [], passed: false, got: [] }),
  tools: [
    wordTool<Use>("docs", "What a call takes, in order.", "name", (name, { docs, read }) => {
      read.push(name);
      return Object.hasOwn(docs, name) ? docs[name] : "no";
    }),
    // One text holds both: quotes around each would be half of what a small model has to write.
    wordTool<Use>("call", "Makes a call: its name, a comma, its arguments.", "request", (request, use) => {
      const comma = request.indexOf(",");
      return comma < 0 ? "no" : answer(use, request.slice(0, comma), request.slice(comma + 1));
    }),
  ],
  verify({ data }, _, talk) {
    const now = talk?.state.records ?? data.records;
    const wanted = goal(data);
    const same = (a: Records, b: Records) => Object.keys({ ...a, ...b }).every((key) => a[key] === b[key]);
    if (same(now, wanted)) return { score: 1 };
    // Half of two changes is worth half; what was not asked for is worth nothing.
    const half = data.tasks.some((t) => same(now, goal({ ...data, tasks: [t] })));
    return data.tasks.length > 1 && half
      ? { score: 0.5, why: "one of two changes was made" }
      : { score: 0, why: "the records are not as they should be" };
  },
  players: {
    expert,
    random: anyCall,
    // Makes the call with its arguments in one order and one flag, whatever the docs say.
    fixed: ({ data: { tasks } }, { turns }) => {
      const task = tasks[turns];
      return task ? `call(${task.name},${task.k}${task.v ?? task.m ?? ""}${flags[0]})` : ".";
    },
    novice: withSlips(expert, anyCall),
  },
});
