import type { Generator } from "@reins/core";
import { between, some, until } from "../tasks/random.ts";

const keys = "abcdef";
/** Letters that a call takes as they stand. */
export const flags = "PQRS";

/** What each call needs: a key (`k`), a value (`v`), another key (`m`). Each has a flag of its own beside it, and at times a pass (`p`). */
const needs = { set: "kv", add: "kv", del: "k", mv: "km", get: "k" } as const;
type Name = keyof typeof needs;
const changes: readonly Name[] = ["set", "add", "del", "mv"];

/** Changes that may be asked for, how many at a time, whether calls need a pass, and whether a value must be read first. */
export const levels = [
  { names: changes.slice(0, 2), tasks: 1, pass: false, read: false },
  { names: changes, tasks: 1, pass: false, read: false },
  { names: changes, tasks: 2, pass: false, read: false },
  { names: changes, tasks: 1, pass: true, read: false },
  { names: changes.slice(0, 1), tasks: 1, pass: true, read: true },
];

/** A change that is asked for. */
export interface Task {
  readonly name: Name;
  readonly k: string;
  /** The new value, or the new key. */
  readonly v?: string;
  readonly m?: string;
  /** What is added to the value that is there: then `v` is not told, and must be found out. */
  readonly plus?: number;
}

/** Records, what calls take, and what is asked for. */
export interface Service {
  /** Values by key, all of one digit. */
  readonly records: { readonly [key: string]: string };
  /** What each call takes, in order: `k`, `v`, `m`, `p`, or a flag as it stands. */
  readonly docs: { readonly [name: string]: string };
  /** What `call(pass,)` tells. */
  readonly pass: string;
  readonly tasks: readonly Task[];
}

/** What has become of the records, and what was told so far. */
export interface Use extends Omit<Service, "records"> {
  records: { [key: string]: string };
  /** Docs that were read, whether the pass was told, and records whose value was. */
  readonly read: string[];
  passed: boolean;
  readonly got: string[];
}

/** Values by key. */
export type Records = Use["records"];

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

/** Records and calls, and changes that are possible. */
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

/** A task as it is asked for. */
export const written = ({ name, k, v = "", m = "", plus }: Task) =>
  `${name} ${k}${plus === undefined ? v + m : `+${plus}`}`;

/** The records as they should be. */
export const goal = ({ records, tasks }: Service): Records =>
  tasks.reduce<Records>((all, t) => changed(t.name, t, all) as Records, records);

/** A call with what its docs ask for. */
export function callOf({ docs, pass }: Service | Use, name: Name, task: Task): string {
  const given: Record<string, string | undefined> = { k: task.k, v: task.v, m: task.m, p: pass };
  return `call(${name},${[...docs[name]].map((kind) => given[kind] ?? kind).join("")})`;
}

/** Whether a task is done in these records. */
export const isDone = ({ name, k, v, m }: Task, now: Records, before: Records): boolean =>
  name === "del" ? !(k in now) : name === "mv" ? !(k in now) && now[m!] === before[k] : now[k] === v;

/** What there is to find out. Calls that nobody makes and records that nobody reads make no other problem. */
export function keyOf({ tasks, docs, pass, records }: Service): string {
  const read = tasks.filter((t) => t.plus !== undefined);
  const calls = [...tasks.map((t) => docs[t.name]), ...read.map(() => docs.get)];
  const guarded = calls.some((takes) => takes.includes("p"));
  return [...tasks.map(written), ...calls, ...read.map((t) => records[t.k]), guarded ? pass : ""].join(" ");
}
