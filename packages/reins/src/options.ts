import type { BackendName } from "@reins/tensor";

/** What the command line of the demonstration may say. */
export interface StartOptions {
  /** How many updates the network gets; more make the border sharper. */
  readonly steps: number;
  /** The same seed gives the same run. */
  readonly seed: number;
  /** Widths of the hidden layers. */
  readonly hidden: readonly number[];
  /** Where to run; by default what REINS_BACKEND says, else the fastest that works. */
  readonly backend?: BackendName;
  /** False draws with characters only; by default the terminal decides. */
  readonly color?: false;
  /** Does not slow down for the eye. */
  readonly fast: boolean;
  readonly help: boolean;
}

export const defaults: StartOptions = { steps: 4000, seed: 1, hidden: [64, 64], fast: false, help: false };

export const help = `npm start -- [options]

Trains a small network on two spirals and draws what it has learned while it learns.

  --steps N         updates of the network (default ${defaults.steps})
  --seed N          the same seed gives the same run (default ${defaults.seed})
  --hidden A,B,…    widths of the hidden layers (default ${defaults.hidden})
  --backend NAME    native, wasm or reference (default: the fastest that works)
  --fast            do not slow down for watching
  --no-color        characters only; the environment variable NO_COLOR does the same
  --help            this text

Into a pipe or a file it prints plain lines.`;

const backends: readonly string[] = ["native", "wasm", "reference"];
const withValue = ["--steps", "--seed", "--hidden", "--backend"];
const flags = ["--fast", "--no-color", "--help"];

/** Reads the arguments; the message of an error says what to type instead. */
export function readOptions(args: readonly string[]): StartOptions {
  let options: StartOptions = defaults;
  for (let i = 0; i < args.length; i++) {
    const [name, inline] = args[i].split(/=(.*)/s, 2);
    if (withValue.includes(name)) {
      const value = inline ?? args[++i];
      if (value === undefined || value === "") throw new Error(`${name} needs a value: ${example(name)}.`);
      options = { ...options, ...read(name, value) };
    } else if (flags.includes(args[i])) {
      if (name === "--fast") options = { ...options, fast: true };
      if (name === "--no-color") options = { ...options, color: false };
      if (name === "--help") options = { ...options, help: true };
    } else throw new Error(unknown(args[i]));
  }
  return options;
}

function read(name: string, value: string): Partial<StartOptions> {
  switch (name) {
    case "--steps":
      return { steps: whole(name, value, 1, 1e7) };
    case "--seed":
      return { seed: whole(name, value, 0, 2 ** 32 - 1) };
    case "--hidden":
      return { hidden: value.split(",").map((width) => whole(name, width, 1, 4096)) };
    default:
      if (!backends.includes(value))
        throw new Error(
          `--backend ${value} does not exist. Type ${example(name)}; there are ${backends.join(", ")}.`,
        );
      return { backend: value as BackendName };
  }
}

function whole(name: string, text: string, least: number, most: number): number {
  const n = Number(text);
  if (/^\d+$/.test(text) && n >= least && n <= most) return n;
  throw new Error(
    `${name} takes whole numbers from ${least} to ${most}, but got "${text}". Type ${example(name)}.`,
  );
}

function example(name: string): string {
  const value =
    name === "--backend"
      ? "wasm"
      : name === "--hidden"
        ? "32,32"
        : name === "--seed"
          ? "7"
          : String(defaults.steps);
  return `npm start -- ${name} ${value}`;
}

function unknown(argument: string): string {
  // npm keeps options before its own double dash to itself and passes their values on.
  if (!argument.startsWith("-"))
    return `"${argument}" is no option. Options stand behind a double dash: ${example("--seed")}.`;
  const near = [...withValue, ...flags].find((f) => f.startsWith(argument) || argument.startsWith(f));
  return `There is no option ${argument}.${near ? ` Did you mean ${near}?` : ""} Type npm start -- --help for a list.`;
}
