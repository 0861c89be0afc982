import type { Configuration } from "./configurations.ts";
import type { Said } from "./process.ts";

/** What is done with a damaged run. */
export interface Deed {
  readonly name: string;
  readonly on: "stopped" | "finished";
  readonly args: readonly string[];
  /** Which files it is about, below the folder. */
  readonly about: RegExp;
  readonly own?: boolean;
  /** Whether it said what it would have said of the whole run; for a stopped one the files are compared. */
  same(said: Said, expected: Said): boolean;
}

const same = (a: Said, b: Said) => timeless(a.out) === timeless(b.out);
/** A list shows what is in the files, right or wrong; but nothing may vanish from it without a word. */
const listed = ({ out, err }: Said) => out.includes('"name":"run"') || err.includes("run");

/** What can be done with the runs of a configuration. */
export function deedsOf(c: Configuration): Deed[] {
  const resume: Deed = { name: "resume", on: "stopped", args: c.resume, about: /^(run|replay)/, same };
  const list: Deed = {
    name: "runs",
    on: "finished",
    args: ["runs", "--root", ".", "--json"],
    about: /^run/,
    same: listed,
  };
  const read: Deed = {
    name: "read",
    on: "finished",
    args: ["read", "run"],
    about: /episodes/,
    own: true,
    same,
  };
  if (c.own) return c.name === "episodes" ? [resume, read] : [resume];
  const measure = "eval run --episodes 3 --json".split(" ");
  const whole: Deed = { name: "eval", on: "finished", args: measure, about: /^run/, same };
  const tune =
    "train sft arithmetic --env-folder model --batch 8 --steps 60 --no-save --quiet --eval-episodes 3";
  const load: Deed = { name: "load", on: "finished", args: tune.split(" "), about: /^model/, same };
  return [resume, resume, whole, list, ...(c.model ? [load, load] : [])];
}

/** What was said, without what follows the clock. */
const timeless = (text: string) =>
  text.replace(/"(seconds|stepsPerSecond)":[^,}]*/g, "").replace(/[\d.]+ ?(ms|s|min)\b/g, "");
