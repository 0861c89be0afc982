import { algorithms } from "@reins/algorithms";
import { secondsOf } from "@reins/core/directory";
import { kebab } from "../../cli/flags.ts";
import { showSetting } from "../../cli/show-setting.ts";
import { flagOf } from "../../cli/training-flags.ts";
import { usageError } from "../../cli/usage.ts";
import type { Opened } from "../../terminal/curves.ts";
import { compact, estimateText, short, time } from "../../terminal/format.ts";
import { type Io, inkOf, print, tableWidth } from "../../terminal/io.ts";
import { sparkline } from "../../terminal/sparkline.ts";
import { table } from "../../terminal/table.ts";
import type { Returns } from "../../training/result.ts";
import { openRuns } from "./selection.ts";

/** Shows runs side by side: the settings that differ, and the results. Defaults of settings that other runs lack are left out. */
export function compare(names: readonly string[], root: string, json: boolean, io: Io): number {
  const runs = openRuns(names, root, 6);
  if (!runs.length) usageError(`there are no runs in ${root}/ yet. Start one: reins train ppo CartPole-v1.`);
  const settings = runs.map(settingsOf);
  const keys = [...new Set(settings.flatMap((s) => Object.keys(s)))];
  const usual = runs.map(defaultsOf);
  const differing = keys.filter(
    (k) =>
      new Set(settings.map((s) => s[k])).size > 1 &&
      (settings.every((s) => k in s) || settings.some((s, i) => k in s && s[k] !== usual[i][k])),
  );
  const shown = runs.length > 1 ? differing : keys;
  const outcomes = runs.map(outcomeOf);
  if (json) {
    const all = runs.map(({ directory }, i) => ({
      run: directory.path,
      settings: settings[i],
      ...outcomes[i].raw,
    }));
    print(io.out, JSON.stringify(all));
    return 0;
  }
  const ink = inkOf(io.out);
  const rows = [
    ...shown.map((k) => [k, ...settings.map((s) => s[k] ?? "")]),
    ...Object.keys(outcomes[0].words).map((k) => [ink.bold(k), ...outcomes.map((o) => o.words[k])]),
  ];
  print(
    io.out,
    ...table(["", ...runs.map((r) => r.directory.name)], rows, { ink, width: tableWidth(io.out) }),
  );
  if (runs.length > 1) print(io.out, "", ink.dim(leftOut(settings, differing)));
  return 0;
}

/** What the table leaves out. */
const leftOut = (settings: readonly Record<string, string>[], shown: readonly string[]): string =>
  settings.some((s) => Object.keys(s).some((k) => !shown.includes(k) && settings.some((o) => !(k in o))))
    ? "Equal settings, and defaults of settings that other runs do not have, are left out."
    : "Equal settings are left out.";

/** The default settings of a run's algorithm, as flags. */
function defaultsOf({ directory: { config } }: Opened): Record<string, string> {
  const { algorithm } = config;
  const options = Object.hasOwn(algorithms, algorithm) ? algorithms[algorithm].definition.options : {};
  return Object.fromEntries(
    Object.entries(options).map(([k, option]) => [flagOf(algorithm, k), showSetting(option.default)]),
  );
}

function settingsOf({ directory: { config } }: Opened): Record<string, string> {
  const { algorithm, env, steps, seed, options, envOptions } = config;
  const typed = Object.entries(options).map(([k, v]) => [flagOf(algorithm, k), showSetting(v)]);
  const ofEnv = Object.entries(envOptions).map(([k, v]) => [`env-${kebab(k)}`, showSetting(v)]);
  return {
    algorithm,
    environment: env,
    budget: compact(steps),
    seed: String(seed),
    ...Object.fromEntries([...typed, ...ofEnv]),
  };
}

function outcomeOf({ directory, rows }: Opened) {
  const returns = rows.map((r) => r["return/mean"]).filter(Number.isFinite);
  const last = rows[rows.length - 1];
  const summary = directory.summary();
  const seconds = secondsOf(directory.times().at(-1), summary);
  const measured = summary?.return as Returns | undefined;
  const raw = {
    status: directory.status(),
    steps: last?.step ?? 0,
    seconds,
    return: measured ?? { mean: returns.at(-1) ?? Number.NaN },
    best: returns.length ? returns.reduce((a, b) => Math.max(a, b)) : Number.NaN,
  };
  const words: Record<string, string> = {
    state: raw.status,
    steps: compact(raw.steps),
    time: time(seconds),
    "return, training": short(returns.at(-1) ?? Number.NaN),
    "return, best": short(raw.best),
    "return, evaluation": measured?.episodes ? `${estimateText(measured)} over ${measured.episodes}` : "–",
    curve: sparkline(returns, 24),
  };
  return { raw, words };
}
