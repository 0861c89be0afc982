import { readNumber, readWhole } from "./numbers.ts";
import { usageError } from "./usage.ts";

/** One flag of a command. */
export interface Flag<T = unknown> {
  readonly about: string;
  /** Placeholder of its value in help. A flag without one is a switch: `--name`, `--no-name`. */
  readonly value?: string;
  /** A switch that is on by default: help shows `--no-name`. */
  readonly off?: boolean;
  /** The flag may be given several times; its values are joined. */
  readonly repeated?: boolean;
  read(text: string, flag: string): T;
}

export type Flags = { readonly [name: string]: Flag };
/** Parsed flag values by name. */
export type GivenFlags<F extends Flags> = {
  readonly [K in keyof F]?: F[K] extends Flag<infer T> ? T : never;
};

/** A boolean flag. */
export const toggle = (about: string): Flag<boolean> => ({
  about,
  read: (text, flag) =>
    text === "true" || text === "false"
      ? text === "true"
      : usageError(`${flag} is a switch and does not accept "${text}". Write ${flag} or ${flag} false.`),
});

/** A boolean flag that is on by default; the description is that of `--no-name`. */
export const toggleOff = (about: string): Flag<boolean> => ({ ...toggle(about), off: true });

/** A flag with a word or a path. */
export const text = (value: string, about: string): Flag<string> => ({ about, value, read: (t) => t });

/** A flag with a comma-separated list of words. */
export const words = (value: string, about: string): Flag<string[]> => ({
  about,
  value,
  read: (t) => t.split(",").filter((word) => word !== ""),
});

/** A flag with `NAME=PATH`, which may be given several times. */
export const named = (about: string): Flag<(readonly [name: string, path: string])[]> => ({
  about,
  value: "NAME=PATH",
  repeated: true,
  read(text, flag) {
    const at = text.indexOf("=");
    return at > 0 && at < text.length - 1
      ? [[text.slice(0, at), text.slice(at + 1)]]
      : usageError(`${flag} ${text} has no name and path. Write ${flag} name=path.`);
  },
});

/** A flag with a whole number; `100_000`, `1e5` and `100k` are the same. */
export const whole = (
  value: string,
  about: string,
  least = 0,
  most = Number.MAX_SAFE_INTEGER,
): Flag<number> => ({
  about,
  value,
  read: (t, flag) => readWhole(t, flag, least, most),
});

/** A flag with any number. */
export const number = (value: string, about: string): Flag<number> => ({ about, value, read: readNumber });

/** The name of an option as a flag: `learningRate` is `learning-rate`. */
export const kebab = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replaceAll("_", "-");

/** The name of a flag as an option: `learning-rate` is `learningRate`. */
export const camel = (name: string): string =>
  name.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
