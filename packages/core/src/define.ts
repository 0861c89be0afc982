import { type Algorithm, type AlgorithmContext, type Started, withSettings } from "./algorithm.ts";
import type {
  AlgorithmMaker,
  Assembled,
  Definition,
  Description,
  PlaceInfo,
  ResolvedOptions,
  Startable,
  Variant,
} from "./definition.ts";
import { checkEnvironment, checkTrained, type Environment } from "./environment.ts";
import { fail } from "./errors.ts";
import { fillIn, type OptionsOf, type OptionTable } from "./option.ts";
import { usualRange } from "./range.ts";
import type { LiveSettingState, Setting } from "./signal.ts";
import { LiveColumn, liveSettings, needsTasks } from "./signals/live.ts";
import { varied } from "./variant.ts";

/** Makes an algorithm from its definition: fills in defaults, checks names, creates the live settings. */
export function define<T extends OptionTable, P = unknown>(
  described: Description<T> & (Startable<T> | Assembled<T, P>),
): AlgorithmMaker<T, P> {
  const definition = startable<T, P>(described);
  const { name, options: table, learnsFrom = "steps", trains = "policy" } = definition;
  const make = (given: OptionsOf<T> = {}): Algorithm => {
    const options = fillIn(name, table, given);
    const admit = (place: Environment) => {
      checkEnvironment(name, learnsFrom, place);
      checkTrained(name, trains, place);
      if (place.stage) refuseCode(name, table, options, place.spec.id);
    };
    return {
      name,
      options,
      learnsFrom,
      ...(trains === "policy" ? {} : { trains }),
      admit,
      start(context) {
        admit(context.place);
        checkPlace(definition, { ...context, options });
        const settings: Record<string, LiveSettingState> = {};
        const live = Object.fromEntries(
          Object.entries(table).map(([k, o]) => {
            if (o.kind === "size") return [k, options[k]];
            settings[k] = liveSettings(k, {
              setting: options[k] as Setting,
              per: o.per,
              within: o.within,
              usual: usualRange(o.about),
            });
            return [k, settings[k]];
          }),
        );
        const { start, episodes = start } = definition;
        const begin = context.place.stage ? episodes : start;
        const process = begin.call(definition, live as ResolvedOptions<T>, { ...context, settings }, name);
        for (const one of Object.values(settings)) checkSupply(name, one);
        return withSettings(process, settings);
      },
    };
  };
  return Object.assign(make, {
    definition,
    with: (variant: string, own: Variant<T, P>) => define(varied(definition, variant, own)),
  });
}

/** The definition with its start. If it has a custom start, replacing parts would have no effect, so it offers none. */
function startable<T extends OptionTable, P>(
  described: Description<T> & (Startable<T> | Assembled<T, P>),
): Definition<T, P> {
  if (!("start" in described)) return { ...described, start: fromParts<T, P> };
  return described.start === fromParts ? described : { ...described, parts: undefined, begin: undefined };
}

/** How a method made of parts starts. The parts are read from the definition, so that a variant starts with its own. */
function fromParts<T extends OptionTable, P>(
  this: Assembled<T, P>,
  options: ResolvedOptions<T>,
  context: AlgorithmContext,
  name: string,
): Started {
  return this.begin(this.parts(options, context, name), context, options);
}

/** Throws if an algorithm cannot learn in a place, with the reason. */
export function checkPlace(
  { name, learnsFrom = "steps", actions, requires }: Omit<Definition<OptionTable>, "start" | "episodes">,
  where: PlaceInfo,
): void {
  const { spec, place } = where;
  checkEnvironment(name, learnsFrom, place);
  const { kind } = spec.action;
  if (actions && !actions.includes(kind))
    fail(
      name,
      `${spec.id} has ${kind} actions; ${name} needs ${actions.join(" or ")} actions. \`reins algorithms\` lists the alternatives.`,
    );
  requires?.(where, name);
}

/** On a stage the stage's model plays the episodes, so a custom network would have no effect. */
function refuseCode(
  algorithm: string,
  table: OptionTable,
  options: { readonly [name: string]: unknown },
  place: string,
): void {
  const given = Object.keys(table).find((k) => table[k].code && options[k] !== undefined);
  if (given)
    fail(algorithm, `${given} applies to stepped environments; ${place} has its own model. Leave it out.`);
}

/** A value per task needs batches with task ids. */
function checkSupply(algorithm: string, live: LiveSettingState): void {
  if (live instanceof LiveColumn && live.scope === "task" && !live.supplied)
    fail(algorithm, `${live.name} ${needsTasks(live.column)}`);
}
