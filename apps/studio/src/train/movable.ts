import { algorithms, type Run } from "reins";
import { hasEffect } from "../parts/has-effect.ts";
import type { TrainingProgress } from "./messages.ts";

type Options = Readonly<Record<string, unknown>>;

/** The settings of a run that can be changed during training, and their descriptions. */
export function movable(run: Run): Pick<TrainingProgress, "settings" | "meanings"> {
  const moving = run.process.settings;
  const { name: algorithm, options } = nowOf(run, Object.keys(moving));
  const table = Object.hasOwn(algorithms, algorithm) ? algorithms[algorithm].definition.options : {};
  const settings: Record<string, number> = {};
  const meanings: Record<string, string> = {};
  for (const [name, { shown, moves }] of Object.entries(moving)) {
    // An infinite limit has no place on a slider.
    if (shown === undefined || !Number.isFinite(shown) || !hasEffect(name, options)) continue;
    settings[name] = shown;
    const about = table[name]?.about ?? "";
    meanings[name] = moves ? `${about} It follows a schedule until you change it.`.trim() : about;
  }
  return { settings, meanings };
}

/** The algorithm of the current phase: the one that has these settings. */
function nowOf(
  { options: { algorithm } }: Run,
  names: readonly string[],
): { name: string; options: Options } {
  const phases = (algorithm.options.phases ?? []) as { algorithm: string; options: Options }[];
  const phase = phases.find(({ options }) => names.every((name) => name in options));
  return phase ? { name: phase.algorithm, options: phase.options } : algorithm;
}
