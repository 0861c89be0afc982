import type { Configuration } from "./configurations.ts";
import type { ProcessResult } from "./process.ts";

/** A command on a damaged run. */
export interface Command {
  readonly name: string;
  readonly on: "stopped" | "finished";
  readonly args: readonly string[];
  /** The files that it uses, relative to the folder. */
  readonly about: RegExp;
  readonly own?: boolean;
  /** Whether its output matches that for the undamaged run; for a stopped run the files are compared. */
  same(result: ProcessResult, expected: ProcessResult): boolean;
}

const same = (a: ProcessResult, b: ProcessResult) => timeless(a.out) === timeless(b.out);
/** A listing shows the files' contents, right or wrong; but no run may disappear from it without a message. */
const listed = ({ out, err }: ProcessResult) => out.includes('"name":"run"') || err.includes("run");

/** The commands for the runs of a configuration. */
export function commandsOf(c: Configuration): Command[] {
  const resume: Command = { name: "resume", on: "stopped", args: c.resume, about: /^(run|replay)/, same };
  const list: Command = {
    name: "runs",
    on: "finished",
    args: ["runs", "--root", ".", "--json"],
    about: /^run/,
    same: listed,
  };
  const read: Command = {
    name: "read",
    on: "finished",
    args: ["read", "run"],
    about: /episodes/,
    own: true,
    same,
  };
  if (c.own) return c.name === "episodes" ? [resume, read] : [resume];
  const measure = "eval run --episodes 3 --json".split(" ");
  const whole: Command = { name: "eval", on: "finished", args: measure, about: /^run/, same };
  const tune =
    "train sft arithmetic --env-folder model --batch 8 --steps 60 --no-save --quiet --eval-episodes 3";
  const load: Command = { name: "load", on: "finished", args: tune.split(" "), about: /^model/, same };
  return [resume, resume, whole, list, ...(c.model ? [load, load] : [])];
}

/** The output without values that depend on the clock. */
const timeless = (text: string) =>
  text.replace(/"(seconds|stepsPerSecond)":[^,}]*/g, "").replace(/[\d.]+ ?(ms|s|min)\b/g, "");
