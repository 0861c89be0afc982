import type { Generator } from "@reins/core/random";
import { between, some, until } from "../../tasks/random.ts";

const keys = "abcdef";
/** Flag letters that a call takes literally. */
export const flags = "PQRS";

/**
 * Arguments of each call: a key (`k`), a value (`v`), another key (`m`). Each call has its own flag, and sometimes a
 * pass (`p`).
 */
const needs = { set: "kv", add: "kv", del: "k", mv: "km", get: "k" } as const;
type Name = keyof typeof needs;
const changes: readonly Name[] = ["set", "add", "del", "mv"];

/** Kinds of changes, their number, whether calls need a pass, and whether a value must be read first. */
export const levels = [
  { names: changes.slice(0, 2), tasks: 1, pass: false, read: false },
  { names: changes, tasks: 1, pass: false, read: false },
  { names: changes, tasks: 2, pass: false, read: false },
  { names: changes, tasks: 1, pass: true, read: false },
  { names: changes.slice(0, 1), tasks: 1, pass: true, read: true },
];

/** A requested change. */
export interface Task {
  readonly name: Name;
  readonly k: string;
  /** The new value, or the new key. */
  readonly v?: string;
  readonly m?: string;
  /** Increment of the current value: then `v` is hidden and must be read first. */
  readonly plus?: number;
}

/** Records, call signatures and requested changes. */
export interface Service {
  /** Values by key, all of one digit. */
  readonly records: { readonly [key: string]: string };
  /** The arguments of each call in order: `k`, `v`, `m`, `p`, or a literal flag. */
  readonly docs: { readonly [name: string]: string };
  /** The result of `call(pass,)`. */
  readonly pass: string;
  readonly tasks: readonly Task[];
}

/** State of the records and of what the model has read. */
export interface Use extends Omit<Service, "records"> {
  records: { [key: string]: string };
  /** Documentation read, whether the pass was read, and records whose value was read. */
  readonly read: string[];
  passed: boolean;
  readonly got: string[];
}

/** Values by key. */
export type Records = Use["records"];

/** The records after a change, or an error. */
function changed(name: Name, { k, v = "", m = "" }: Partial<Task>, records: Records): Records | string {
  const { [k ?? ""]: old, ...rest } = records;
  if (name === "add") return old === undefined ? { ...rest, [k!]: v } : "has k";
  if (old === undefined) return "no k";
  if (name === "set") return { ...rest, [k!]: v };
  if (name === "del") return rest;
  return rest[m] === undefined ? { ...rest, [m]: old } : "has m";
}

/** The result of a call: `v?` names the first argument that is missing or of the wrong kind. */
export function answer(use: Use, name: string, args: string): string {
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

/** Records, calls and feasible changes. */
export function makeService(random: Generator, level: number): Service {
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
    // The current value would be no change.
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

/** The text of a task. */
export const written = ({ name, k, v = "", m = "", plus }: Task) =>
  `${name} ${k}${plus === undefined ? v + m : `+${plus}`}`;

/** The target records. */
export const goal = ({ records, tasks }: Service): Records =>
  tasks.reduce<Records>((all, t) => changed(t.name, t, all) as Records, records);

/** A call with the arguments of its documentation. */
export function callOf({ docs, pass }: Service | Use, name: Name, task: Task): string {
  const given: Record<string, string | undefined> = { k: task.k, v: task.v, m: task.m, p: pass };
  return `call(${name},${[...docs[name]].map((kind) => given[kind] ?? kind).join("")})`;
}

/** Whether a task is done in these records. */
export const isDone = ({ name, k, v, m }: Task, now: Records, before: Records): boolean =>
  name === "del" ? !(k in now) : name === "mv" ? !(k in now) && now[m!] === before[k] : now[k] === v;

/** Identity of a problem. Unused calls and unread records do not make a different problem. */
export function keyOf({ tasks, docs, pass, records }: Service): string {
  const read = tasks.filter((t) => t.plus !== undefined);
  const calls = [...tasks.map((t) => docs[t.name]), ...read.map(() => docs.get)];
  const guarded = calls.some((takes) => takes.includes("p"));
  return [...tasks.map(written), ...calls, ...read.map((t) => records[t.k]), guarded ? pass : ""].join(" ");
}
