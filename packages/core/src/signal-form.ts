import { didYouMean, fail } from "./errors.ts";
import { isWithin, type RangeName, ranges } from "./range.ts";
import type { Controller, Schedule, Setting, Signal } from "./signal.ts";

/** Arguments of a signal: their names in positional order, and which are required. */
interface Form {
  readonly takes: readonly string[];
  readonly needs: readonly string[];
  /** Arguments may be positional as well as named. */
  readonly ordered?: boolean;
  /** Default values when typed. */
  readonly fill?: { readonly [name: string]: number };
  /** An example as typed on a command line. */
  readonly sample: string;
}

const bounds = ["of", "min", "max", "scope"];
const ramp = { takes: ["from", "to", "over"], needs: ["from", "to"], ordered: true };

/**
 * Every signal that is plain data, by name.
 *
 * @experimental
 */
export const signalForms: { readonly [K in Exclude<Signal["signal"], "column">]: Form } = {
  linear: { ...ramp, sample: "linear(0.2, 0)" },
  cosine: { ...ramp, sample: "cosine(0.2, 0)" },
  exponential: { ...ramp, sample: "exponential(0.2, 0.01)" },
  piecewise: { takes: ["points"], needs: ["points"], ordered: true, sample: "piecewise(0:1, 0.5:0.1, 1:0)" },
  warmup: {
    takes: ["over", "then"],
    needs: ["over", "then"],
    ordered: true,
    sample: "warmup(0.1, cosine(3e-4, 0))",
  },
  pi: {
    takes: [...bounds, "target", "initial", "gain", "integral", "log"],
    needs: ["of", "target", "initial", "gain", "integral"],
    fill: { integral: 0 },
    sample: "pi(of=policy/kl, target=0.01, initial=0.2, gain=5, integral=1)",
  },
  multiplicative: {
    takes: [...bounds, "target", "initial", "factor", "tolerance", "direction"],
    needs: ["of", "target", "initial", "direction"],
    sample: "multiplicative(of=policy/kl, target=0.01, initial=3e-4, direction=-1)",
  },
  dual: {
    takes: [...bounds, "limit", "initial", "rate", "direction", "log"],
    needs: ["of", "limit", "initial", "rate"],
    sample: "dual(of=policy/entropy, limit=0.5, initial=0.01, rate=0.01, direction=-1)",
  },
  bandit: {
    takes: [...bounds, "choices", "hold", "window", "exploration", "reward"],
    needs: ["of", "choices"],
    sample: "bandit(of=return/mean, choices=[0.1, 0.2, 0.3])",
  },
  quantile: {
    takes: [...bounds, "q", "initial", "rate", "scale"],
    needs: ["of", "q", "initial"],
    sample: "quantile(of=gradient/norm, q=0.9, initial=0.5)",
  },
  average: {
    takes: [...bounds, "initial", "decay", "scale", "offset"],
    needs: ["of", "initial"],
    sample: "average(of=policy/kl, initial=0.2, scale=10)",
  },
};

/** The form of a signal by its name; throws if there is none. */
export function formOf(what: string, signal: string): Form {
  if (Object.hasOwn(signalForms, signal)) return signalForms[signal as keyof typeof signalForms];
  const names = Object.keys(signalForms);
  return fail(
    what,
    `there is no signal ${signal}.${didYouMean(signal, names)} There are ${names.join(", ")}.`,
  );
}

/** Ranges of the arguments of signals. Others have the range of the setting, or any. */
const parts: { readonly [name: string]: RangeName } = {
  over: "share",
  q: "share",
  decay: "share",
  factor: "positive",
  tolerance: "positive",
  hold: "count",
  window: "count",
};
const ends = ["from", "to", "initial", "min", "max"];
const words = ["of", "scope", "reward"];

/** Throws if a signal lacks an argument, has an unknown one, or leaves the range of its setting. */
export function checkSignal(subject: string, name: string, setting: Setting, range: RangeName): void {
  if (typeof setting === "number" || setting.signal === "column") return;
  const { signal } = setting;
  const form = formOf(`${subject}: ${name}`, signal);
  const given = Object.entries(setting).filter(([k, v]) => k !== "signal" && v !== undefined);
  for (const [k, value] of given) {
    if (!form.takes.includes(k))
      fail(
        subject,
        `${name}: ${signal} has no ${k}.${didYouMean(k, form.takes)} It takes ${form.takes.join(", ")}.`,
      );
    checkPart(subject, `${name}: ${k} of ${signal}`, k, value);
  }
  const missing = form.needs.filter((k) => given.every(([own]) => own !== k));
  if (missing.length)
    fail(subject, `${name}: ${signal} needs ${missing.join(" and ")}, as in ${form.sample}.`);
  const { min, max } = setting as { min?: number; max?: number };
  if (min !== undefined && max !== undefined && min > max)
    fail(subject, `${name}: min of ${signal} is ${min} and max is ${max}. Swap them.`);
  if (setting.signal === "warmup") checkSignal(subject, name, setting.then, range);
  for (const [where, value] of reached(setting))
    if (!isWithin(range, value))
      fail(
        subject,
        `${name}: ${where} of ${signal} is ${value}, but ${name} must be ${ranges[range].words}, as in ${form.sample}.`,
      );
}

function checkPart(subject: string, what: string, name: string, value: unknown): void {
  const numbers = (x: unknown) => Array.isArray(x) && x.length > 0 && x.every(Number.isFinite);
  if (name === "points" && !(Array.isArray(value) && value.every((p) => numbers(p) && p.length === 2)))
    fail(
      subject,
      `${what} are ${JSON.stringify(value)}; they must be pairs of progress and value: [0, 1], [1, 0].`,
    );
  if (name === "choices" && !numbers(value))
    fail(
      subject,
      `${what} are ${JSON.stringify(value)}; they must be a list of numbers, such as [0.1, 0.2].`,
    );
  if (["then", "points", "choices", "log"].includes(name)) return;
  if (words.includes(name)) {
    if (typeof value !== "string") fail(subject, `${what} is ${JSON.stringify(value)}; it must be a name.`);
  } else if (typeof value !== "number" || !isWithin(parts[name] ?? "any", value))
    fail(subject, `${what} is ${JSON.stringify(value)}; it must be ${ranges[parts[name] ?? "any"].words}.`);
}

/** The values that a signal is known to reach before it starts, and at which point. */
function reached(signal: Schedule | Controller): [string, number][] {
  switch (signal.signal) {
    case "piecewise":
      return signal.points.map(([x, y]) => [`the point at ${x}`, y]);
    case "warmup":
      return typeof signal.then === "number" ? [["then", signal.then]] : [];
    case "bandit":
      return signal.choices.map((choice) => ["a choice", choice]);
    case "quantile":
      return [["the first value", signal.initial * (signal.scale ?? 1)]];
    case "average":
      return [["the first value", signal.initial * (signal.scale ?? 1) + (signal.offset ?? 0)]];
    default:
      return Object.entries(signal).filter(
        (entry): entry is [string, number] => ends.includes(entry[0]) && typeof entry[1] === "number",
      );
  }
}
