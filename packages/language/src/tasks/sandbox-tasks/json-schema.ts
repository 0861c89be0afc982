import type { Generator } from "@reins/core/random";
import { type Json, parsed, same } from "../../sandboxes/json.ts";
import { jsonSchema as sandbox } from "../../sandboxes/json-schema.ts";
import { stripped, verdict } from "../answers.ts";
import { between, letters, many, some, until } from "../random.ts";
import { textTask } from "../text-task.ts";

const names = "abcdefghijklmnopqrstuvwxyz";
type Schema = Record<string, Json>;
/** A schema and a value that satisfies it. */
type Pair = readonly [schema: Schema, value: Json];

const constant = (r: Generator): Pair => {
  const value = r.random() < 0.5 ? r.integers(1000) : letters(r, between(r, 2, 5), names);
  return [{ const: value }, value];
};
const integer = (r: Generator): Pair => {
  const low = r.integers(1000);
  const high = low + r.integers(10);
  return [{ type: "integer", minimum: low, maximum: high }, between(r, low, high)];
};
const multiple = (r: Generator): Pair => {
  const [of, times] = [between(r, 3, 29), between(r, 2, 9)];
  return [{ type: "integer", multipleOf: of, exclusiveMinimum: of * (times - 1) }, of * times];
};
/** The only multiple in a range no longer than the number itself. */
const window = (r: Generator, most: number): Pair => {
  const of = between(r, most >> 2, most);
  const low = between(r, 10 * most, 100 * most);
  return [{ type: "integer", multipleOf: of, minimum: low, maximum: low + of - 1 }, Math.ceil(low / of) * of];
};
const text = (r: Generator): Pair => {
  const [set, count, tail] = [some(r, 3, names).sort().join(""), between(r, 2, 4), letters(r, 2, names)];
  return [{ type: "string", pattern: `^[${set}]{${count}}${tail}$` }, letters(r, count, set) + tail];
};
const choice = (r: Generator): Pair => {
  const words = until(
    () => many(3, () => letters(r, 2, names)),
    (w) => new Set(w).size === 3,
  );
  return [{ enum: words, not: { const: words[0] } }, words[2]];
};
const flag = (r: Generator): Pair => [{ type: "boolean" }, r.random() < 0.5];
const list = (r: Generator): Pair => {
  const [low, count] = [r.integers(990), between(r, 2, 4)];
  return [
    { type: "array", items: { type: "integer", minimum: low }, minItems: count, uniqueItems: true },
    many(count, (i) => low + i),
  ];
};

/** An object with these parts under distinct keys. */
function object(r: Generator, parts: readonly Pair[]): Pair {
  const keys = some(r, parts.length, names);
  const properties = Object.fromEntries(keys.map((k, i) => [k, parts[i][0]]));
  const value = Object.fromEntries(keys.map((k, i) => [k, parts[i][1]]));
  return [{ type: "object", properties, required: keys }, value];
}

/** The schema at each level, and whether facts about all parts but the first are given. */
const plans: readonly (readonly [ask: (r: Generator) => Pair, facts?: true])[] = [
  [constant],
  [integer],
  [(r) => r.choice([integer, choice, text])(r)],
  [(r) => (r.random() < 0.5 ? list(r) : object(r, [integer(r)]))],
  [(r) => object(r, [r.choice([integer, text])(r), r.choice([flag, multiple])(r)]), true],
  [(r) => object(r, [list(r), r.choice([flag, choice])(r)]), true],
  [(r) => object(r, [object(r, [integer(r), flag(r)]), text(r)]), true],
  [(r) => object(r, [multiple(r), r.choice([text, choice, list])(r)])],
  [(r) => window(r, 99)],
  [(r) => object(r, [window(r, 999), window(r, 999)])],
];

/** JSON that satisfies a schema and the given facts. Any such value is right. */
export const jsonSchema = textTask<{ schema: string; facts: Readonly<Record<string, Json>> }>({
  id: "json-schema",
  about:
    "Write JSON that satisfies a JSON Schema. A condition may follow the schema: a:5 requires that a is 5.",
  levels: plans.length,
  alphabet: '0123456789abcdefghijklmnopqrstuvwxyzIMO{}[]:,"$^= ',
  longest: { prompt: 245, answer: 60 },
  make(random, level) {
    const [ask, withFacts] = plans[level - 1];
    const [schema, value] = ask(random);
    const entries = withFacts ? Object.entries(value as Record<string, Json>).slice(1) : [];
    const facts = Object.fromEntries(entries);
    const said = entries.map(([k, v]) => ` ${k}:${JSON.stringify(v)}`).join("");
    const written = JSON.stringify(schema);
    return { prompt: `${written}${said}=`, answer: JSON.stringify(value), data: { schema: written, facts } };
  },
  async verify({ data: { schema, facts } }, answer) {
    const said = parsed(answer);
    if (said === undefined) return verdict(false, false, "It is not JSON.");
    const row = typeof said === "object" && said !== null ? (said as Record<string, Json>) : {};
    const missed = Object.keys(facts).find((k) => !Object.hasOwn(row, k) || !same(facts[k], row[k]));
    if (missed !== undefined) return verdict(false, true, `${missed} is ${JSON.stringify(facts[missed])}.`);
    const { status, value } = await checker.run({ schema, data: stripped(answer) });
    return verdict(status === "ok" && value === true, true, "It does not satisfy the schema.");
  },
  nearMisses({ prompt, answer, data: { schema } }) {
    const value = parsed(answer)!;
    const wrong: string[] = [schema, prompt, `[${answer}]`, `"${answer}`, "null", "{}"];
    if (typeof value === "number") wrong.push(`${value + 0.5}`, `"${value}"`, `${value - 100_000}`);
    else if (typeof value === "string") wrong.push(value, JSON.stringify(`${value}!`));
    return wrong;
  },
});

const checker = sandbox();
