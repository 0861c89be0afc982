import type { FieldNames, FieldValue, RunLine } from "@reins/studio/wire";
import { scoreOf } from "../../statistics/interval.ts";
import type { Query, Term } from "./query.ts";

/** Fields of every run, besides settings and metrics. */
const own: Readonly<Record<string, (run: RunLine) => FieldValue>> = {
  name: (run) => run.name,
  state: (run) => run.state,
  algorithm: (run) => run.algorithm,
  env: (run) => run.env,
  seed: (run) => run.seed,
  return: scoreOf,
  training: (run) => run.return,
  steps: (run) => run.steps,
  budget: (run) => run.budget,
  stepsPerSecond: (run) => run.stepsPerSecond,
  seconds: (run) => run.seconds,
  created: (run) => run.created,
  tag: (run) => run.tags.join(", ") || null,
  note: (run) => run.note || null,
};

/** Names of the fields that every run has. */
export const ownFields = Object.keys(own);

/** Whether every run has the field. */
export const isOwn = (name: string): boolean => Object.hasOwn(own, name);

/** The value of a field; null if the run lacks it. */
export const fieldOf = (run: RunLine, name: string): FieldValue =>
  isOwn(name) ? own[name](run) : (run.fields?.[name] ?? null);

/** Resolves the name of a field: `learning-rate` is `learningRate`. Undefined if unknown. */
export function resolveField(typed: string, names: FieldNames): string | undefined {
  const all = [...ownFields, ...names.settings.map(({ name }) => name), ...names.metrics];
  const camel = typed.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  return (
    all.find((name) => name === typed) ??
    all.find((name) => name === camel) ??
    all.find((name) => name.toLowerCase() === typed.toLowerCase())
  );
}

/** Resolves the fields of a query; unknown fields become errors. `names` is undefined until loaded. */
export function resolveQuery({ terms, errors }: Query, names: FieldNames | undefined): Query {
  const unknown: string[] = [];
  const found = terms.flatMap((term): Term[] => {
    if (term.field === undefined || isOwn(term.field)) return [term];
    if (!names) return [];
    const field = resolveField(term.field, names);
    if (field !== undefined) return [{ ...term, field }];
    unknown.push(
      `No run has a setting or metric "${term.field}". To search for the text, quote it: "${term.text}".`,
    );
    return [];
  });
  return { terms: found, errors: [...errors, ...unknown] };
}

/** Settings and metrics among some fields, to request from the server. */
export const askedFields = (names: readonly (string | undefined)[]): string[] =>
  [...new Set(names.flatMap((name) => (name === undefined || isOwn(name) ? [] : name)))].sort();
