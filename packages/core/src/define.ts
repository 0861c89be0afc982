import { type Algorithm, type Context, type Process, withSettings } from "./algorithm.ts";
import { fail } from "./errors.ts";
import { checkNames, fillIn, type Option, type OptionsOf, type OptionTable, type Widen } from "./option.ts";
import { admitPlace, type LearnsFrom, type Place } from "./place.ts";
import type { Moving, Setting } from "./signal.ts";
import { bringToLife, LiveColumn, type LiveOf, needsTasks } from "./signals/live.ts";

/** What the algorithm sees: settings alive, each in the form of its scope, and sizes as they are. */
export type Given<T extends OptionTable> = {
  readonly [K in keyof T]: T[K] extends Option<infer V, infer P>
    ? Setting extends V
      ? LiveOf<P>
      : Widen<V>
    : never;
};

/** What is known of a place before anything starts there. */
export type Where = Pick<Context, "spec" | "place" | "data"> & {
  /** The algorithm's options, filled in. */
  readonly options: Algorithm["options"];
};

/** What describes an algorithm to the rest of the framework. */
export interface Definition<T extends OptionTable> {
  readonly name: string;
  /** One sentence. */
  readonly summary: string;
  /** Title, authors, year. */
  readonly paper?: string;
  readonly options: T;
  /** Kinds of action space it can take; all if absent. */
  readonly actions?: readonly string[];
  /** What it learns from: steps, if it does not say. */
  readonly learnsFrom?: LearnsFrom;
  /** Refuses, by name, where it cannot learn although it takes the actions: observations that it cannot read, no model to plan on. */
  requires?(where: Where, name: string): void;
  /** `name` is the algorithm's own: that of a variant, where it is started as one. */
  start(options: Given<T>, context: Context, name: string): Omit<Process, "settings">;
  /** How it starts where whole episodes are played, if that differs. */
  episodes?(options: Given<T>, context: Context, name: string): Omit<Process, "settings">;
}

/** What a variant has of its own; all else is as in the method that it varies. */
export interface Variant<T extends OptionTable> {
  readonly summary: string;
  readonly paper?: string;
  /** Other values for options that are not given. */
  readonly options?: OptionsOf<T>;
  /** Where it was tried, if not wherever the method itself learns. */
  readonly learnsFrom?: LearnsFrom;
  /** Other parts. */
  readonly start?: Definition<T>["start"];
  readonly episodes?: Definition<T>["episodes"];
}

/** An algorithm's constructor, with its description. */
export interface AlgorithmMaker<T extends OptionTable = OptionTable> {
  (options?: OptionsOf<T>): Algorithm;
  readonly definition: Definition<T>;
  /** A variant under a name of its own, by naming what is replaced. */
  with(name: string, variant: Variant<T>): AlgorithmMaker<T>;
}

/** Makes an algorithm from its description: fills in defaults, checks names, brings settings to life. */
export function define<T extends OptionTable>(definition: Definition<T>): AlgorithmMaker<T> {
  const { name, options: table, learnsFrom = "steps" } = definition;
  const make = (given: OptionsOf<T> = {}): Algorithm => {
    const options = fillIn(name, table, given);
    const admit = (place: Place) => {
      admitPlace(name, learnsFrom, place);
      if (place.stage) refuseCode(name, table, options, place.spec.id);
    };
    return {
      name,
      options,
      learnsFrom,
      admit,
      start(context) {
        admit(context.place);
        admitWhere(definition, { ...context, options });
        const settings: Record<string, Moving> = {};
        const live = Object.fromEntries(
          Object.entries(table).map(([k, o]) => {
            if (o.kind === "size") return [k, options[k]];
            settings[k] = bringToLife(k, options[k] as Setting, o.per ?? "run", o.within);
            return [k, settings[k]];
          }),
        );
        const { start, episodes = start } = definition;
        const begin = context.place.stage ? episodes : start;
        const process = begin.call(definition, live as Given<T>, { ...context, settings }, name);
        for (const one of Object.values(settings)) checkSupply(name, one);
        return withSettings(process, settings);
      },
    };
  };
  return Object.assign(make, {
    definition,
    with(variant: string, { options: values = {}, ...own }: Variant<T>): AlgorithmMaker<T> {
      checkNames(variant, values, table);
      const rows = Object.entries(values).map(([k, value]) => [k, { ...table[k], default: value }]);
      return define({
        ...definition,
        ...own,
        name: variant,
        options: { ...table, ...Object.fromEntries(rows) },
      });
    },
  });
}

/** Refuses a place where an algorithm cannot learn, and says why. */
export function admitWhere(
  { name, learnsFrom = "steps", actions, requires }: Omit<Definition<OptionTable>, "start" | "episodes">,
  where: Where,
): void {
  const { spec, place } = where;
  admitPlace(name, learnsFrom, place);
  const { kind } = spec.action;
  if (actions && !actions.includes(kind))
    fail(
      name,
      `${spec.id} has ${kind} actions; ${name} takes ${actions.join(" or ")} ones. See \`reins algorithms\` for others.`,
    );
  requires?.(where, name);
}

/** Where episodes are played on a stage, what plays them is the stage's: a network of one's own would count for nothing. */
function refuseCode(
  algorithm: string,
  table: OptionTable,
  options: { readonly [name: string]: unknown },
  place: string,
): void {
  const given = Object.keys(table).find((k) => table[k].code && options[k] !== undefined);
  if (given)
    fail(
      algorithm,
      `${given} is for environments that are stepped; ${place} has its own model. Leave it out.`,
    );
}

/** A value for each task needs batches that know their tasks. */
function checkSupply(algorithm: string, live: Moving): void {
  if (live instanceof LiveColumn && live.scope === "task" && !live.supplied)
    fail(algorithm, `${live.name} ${needsTasks(live.column)}`);
}
