import { fail, type Setting } from "@reins/core";
import { didYouMean } from "@reins/core/errors";
import { formOf } from "@reins/core/settings";
import { parseNumber } from "./numbers.ts";

type Typed = number | boolean | string | readonly Typed[] | { readonly [name: string]: Typed };

/** Parses a setting: `3e-4`, `linear(0.2, 0)`, `pi(of=policy/kl, target=0.01, initial=0.2, gain=1)`. */
export function parseSetting(text: string, what = "setting"): Setting {
  const value = new Reader(text, what).whole();
  if (isSetting(value)) return value;
  return fail(what, `"${text}" is neither a number nor a signal. Write 3e-4 or "linear(3e-4, 0)".`);
}

const isSetting = (value: unknown): value is Setting =>
  typeof value === "number" || (typeof value === "object" && value !== null && "signal" in value);

/** Grammar: value = number | [values] | x:y | name(arguments) | word. */
class Reader {
  private at = 0;
  private readonly text: string;
  private readonly what: string;

  constructor(text: string, what: string) {
    this.text = text;
    this.what = what;
  }

  whole(): Typed {
    const value = this.value();
    this.skip();
    if (this.at < this.text.length) this.wrong("the end");
    return value;
  }

  private value(): Typed {
    if (this.take("[")) return this.list("]").map(([, v]) => v);
    const word = this.word();
    if (this.take("(")) return this.signal(word, this.list(")"));
    const value = literal(word);
    // A point of a piecewise schedule: progress and value.
    return typeof value === "number" && this.take(":") ? [value, this.value()] : value;
  }

  /** Arguments up to the closing bracket, each with its optional name. */
  private list(end: string): [string | undefined, Typed][] {
    const found: [string | undefined, Typed][] = [];
    if (this.take(end)) return found;
    do {
      const start = this.at;
      const name = /^\s*([A-Za-z]+)\s*=/.exec(this.text.slice(start));
      if (name) this.at += name[0].length;
      found.push([name?.[1], this.value()]);
    } while (this.take(","));
    if (!this.take(end)) this.wrong(`"," or "${end}"`);
    return found;
  }

  private signal(name: string, given: [string | undefined, Typed][]): Typed {
    const form = formOf(this.what, name);
    if (name === "piecewise") return { signal: name, points: this.points(given) };
    const made: Record<string, Typed> = { ...form.fill };
    given.forEach(([key, value], i) => {
      const own = key ?? (form.ordered ? form.takes[i] : undefined);
      if (own === undefined)
        fail(
          this.what,
          `${name} takes ${form.ordered ? form.takes.join(", ") : `named arguments: ${form.sample}`}.`,
        );
      if (!form.takes.includes(own))
        fail(
          this.what,
          `${name} has no ${own}.${didYouMean(own, form.takes)} It takes ${form.takes.join(", ")}.`,
        );
      made[own] = checked(this.what, name, own, value);
    });
    const missing = form.needs.filter((k) => !(k in made));
    if (missing.length) fail(this.what, `${name} needs ${missing.join(" and ")}: ${form.sample}.`);
    return { signal: name, ...made };
  }

  private points(given: [string | undefined, Typed][]): Typed {
    const right = given.every(([key, v]) => key === undefined && Array.isArray(v) && v.length === 2);
    if (!right || !given.length) fail(this.what, "piecewise takes points: piecewise(0:1, 0.5:0.1, 1:0).");
    return given.map(([, v]) => v);
  }

  private word(): string {
    this.skip();
    const match = /^(?:"([^"]*)"|[^\s,()[\]=:"]+)/.exec(this.text.slice(this.at));
    if (!match) return this.wrong("a value");
    this.at += match[0].length;
    return match[1] ?? match[0];
  }

  private take(mark: string): boolean {
    this.skip();
    if (this.text[this.at] !== mark) return false;
    this.at++;
    return true;
  }

  private skip(): void {
    while (this.text[this.at] === " ") this.at++;
  }

  private wrong(expected: string): never {
    const found = this.at < this.text.length ? `"${this.text.slice(this.at)}"` : "the end";
    return fail(this.what, `"${this.text}": expected ${expected}, found ${found}.`);
  }
}

const words = new Set(["of", "scope", "reward"]);

/** Checks the type of an argument; most are numbers. */
function checked(what: string, signal: string, name: string, value: Typed): Typed {
  const fits =
    name === "then"
      ? typeof value === "number" || typeof value === "object"
      : name === "choices"
        ? Array.isArray(value) && value.every((x) => typeof x === "number")
        : name === "log"
          ? typeof value === "boolean"
          : words.has(name)
            ? typeof value === "string"
            : typeof value === "number";
  if (!fits)
    fail(
      what,
      `${signal}: ${name} cannot be ${JSON.stringify(value)}. Example: ${formOf(what, signal).sample}.`,
    );
  return value;
}

function literal(word: string): Typed {
  if (word === "true" || word === "false") return word === "true";
  return parseNumber(word) ?? word;
}
