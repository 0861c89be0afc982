import type { Generator } from "@reins/core/random";
import { type Json, parsed, same } from "../../sandboxes/json.ts";
import { verdict } from "../answers.ts";
import { letters, many, some } from "../random.ts";
import { textTask } from "../text-task.ts";

const names = "abcdefghijklmnopqrstuvwxyz";
type Row = Record<string, Json>;

/** Number of keys, number of edits, and kinds of values, at each level. */
const plans = [
  { keys: 1, edits: 1, kinds: "n", edit: "=" },
  { keys: 2, edits: 1, kinds: "n", edit: "=-" },
  { keys: 3, edits: 1, kinds: "nw", edit: "=-n" },
  { keys: 3, edits: 2, kinds: "nw", edit: "=-n+" },
  { keys: 4, edits: 2, kinds: "nwl", edit: "=-n+<" },
  { keys: 3, edits: 3, kinds: "nwlo", edit: "=-n+<" },
  { keys: 4, edits: 4, kinds: "nwlo", edit: "=-n+<" },
  { keys: 5, edits: 6, kinds: "nwlo", edit: "=-n+<" },
] as const;

function value(random: Generator, kind: string): Json {
  if (kind === "w") return letters(random, 2, names);
  if (kind === "l") return many(2, () => random.integers(10));
  if (kind === "o") return Object.fromEntries(some(random, 2, names).map((k) => [k, random.integers(10)]));
  return random.integers(100);
}

/** Samples an edit, applies it and returns its text. Undefined where it does not apply; then another is sampled. */
function edit(random: Generator, root: Row, kind: string, kinds: string): string | undefined {
  const keys = Object.keys(root);
  if (keys.length === 0) return undefined;
  const key = random.choice(keys);
  const inner = root[key];
  // Half of the edits of an object are inside it.
  if (typeof inner === "object" && inner !== null && !Array.isArray(inner) && random.random() < 0.5) {
    const said = edit(random, inner, kind, "n");
    return said && (said[0] === "-" ? `-${key}.${said.slice(1)}` : `${key}.${said}`);
  }
  if (kind === "=") {
    root[key] = value(random, random.choice(kinds));
    return `${key}=${JSON.stringify(root[key])}`;
  }
  if (kind === "-" && keys.length > 1) {
    delete root[key];
    return `-${key}`;
  }
  if (kind === "n") {
    const fresh = random.choice(names);
    if (fresh in root) return undefined;
    root[fresh] = value(random, random.choice(kinds));
    return `${fresh}=${JSON.stringify(root[fresh])}`;
  }
  if (kind === "+" && typeof inner === "number") {
    const by = random.integers(1, 20);
    root[key] = inner + by;
    return `${key}+=${by}`;
  }
  if (kind === "<" && Array.isArray(inner)) {
    const next = random.integers(10);
    inner.push(next);
    return `${key}<${next}`;
  }
  return undefined;
}

/** JSON after some edits. The same value in any spelling and key order is right. */
export const jsonEdit = textTask<{ value: Json }>({
  id: "json-edit",
  about: "Edit a JSON text: a=5 sets, -a removes, a+=5 adds, a<5 appends to a list, a.b is the key b of a.",
  levels: plans.length,
  alphabet: '0123456789abcdefghijklmnopqrstuvwxyz{}[]:,".=-+<; ',
  longest: { prompt: 180, answer: 160 },
  make(random, level) {
    const { keys, edits, kinds, edit: which } = plans[level - 1];
    const root: Row = Object.fromEntries(
      some(random, keys, names).map((k) => [
        k,
        level === 1 ? random.integers(10) : value(random, random.choice(kinds)),
      ]),
    );
    const before = JSON.stringify(root);
    const said: string[] = [];
    while (said.length < edits) {
      const one = edit(random, root, random.choice(which), level === 1 ? "n" : kinds);
      if (one) said.push(one);
    }
    return { prompt: `${before} ${said.join(";")}:`, answer: JSON.stringify(root), data: { value: root } };
  },
  verify({ data: { value } }, answer) {
    const said = parsed(answer);
    return verdict(
      said !== undefined && same(said, value),
      said !== undefined,
      `It is ${JSON.stringify(value)}.`,
    );
  },
  nearMisses({ prompt, answer, data: { value } }) {
    const before = prompt.slice(0, prompt.indexOf(" "));
    const more = { ...(value as Row), zz: 1 };
    const [[key]] = Object.entries(value as Row);
    const doubled = `{"${key}":0,${answer.slice(1)}`;
    return [before, JSON.stringify(more), doubled, `[${answer}]`, answer.slice(0, -1), "{}"].filter(
      (text) => !same(parsed(text) ?? [], value),
    );
  },
});
