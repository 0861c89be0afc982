import { fail } from "../errors.ts";
import { currentNames } from "../renamed-options.ts";
import type { CheckpointHead } from "./checkpoint.ts";
import type { RunConfig } from "./config.ts";
import { encode, type Json } from "./tree.ts";

/**
 * The part of a configuration that determines a run's numbers, stored in its checkpoints: `config.json` has no digest, so that people
 * can edit it, and a checkpoint would fit the configuration of another seed.
 */
export function identityOf(config: RunConfig): Json {
  const deciding = Object.entries(config).filter(([name]) => !besides.includes(name));
  return encode(Object.fromEntries(deciding), new Map());
}

/** Excluded: creation data, options that may change on resume, and paths of one machine. */
const besides = [
  ...["format", "created", "command", "commit"],
  ...["steps", "checkpointEvery", "evalEpisodes", "evalEvery", "solved"],
  ...["module", "saveModel", "saveAdapters"],
];

/** Refuses a checkpoint of another configuration. Older checkpoints without it are accepted with a warning. */
export function checkConfig(
  path: string,
  config: RunConfig,
  head: CheckpointHead,
  warn: (message: string) => void,
): void {
  if (head.config === undefined) {
    warn(
      `${path}: the checkpoint at step ${head.steps}, written by Reins ${head.reins}, does not record its configuration, so config.json cannot be verified.`,
    );
    return;
  }
  const [was, is] = [flat(withCurrentNames(head.config)), flat(identityOf(config))];
  const names = [...new Set([...was.keys(), ...is.keys()])].filter(
    // An older checkpoint may hold more fields than determine the numbers now.
    (name) => was.get(name) !== is.get(name) && !besides.includes(name),
  );
  if (names.length === 0) return;
  const changes = names.slice(0, 3).map((n) => `${n} is ${short(is.get(n))} instead of ${short(was.get(n))}`);
  const more = names.length > 3 ? `, and ${names.length - 3} more` : "";
  fail(
    path,
    `config.json differs from the configuration of the checkpoint at step ${head.steps}: ${changes.join(", ")}${more}. ` +
      "It was changed or damaged, or one of the two belongs to another run. Restore it, or start a new run in another directory.",
  );
}

/** A stored configuration whose options have their current names. */
function withCurrentNames(config: Json): Json {
  if (typeof config !== "object" || config === null || Array.isArray(config)) return config;
  const { options, ...rest } = config as { readonly [name: string]: Json };
  if (typeof options !== "object" || options === null || Array.isArray(options)) return config;
  return { ...rest, options: currentNames(options as { readonly [name: string]: Json }) as Json };
}

/** Values by path, so that neither the order of names nor the layout counts. */
function flat(value: Json | undefined, path = "", into = new Map<string, string>()): Map<string, string> {
  const below = typeof value === "object" && value !== null ? Object.entries(value) : [];
  if (below.length === 0) into.set(path, JSON.stringify(value));
  for (const [name, inner] of below) flat(inner as Json, path ? `${path}.${name}` : name, into);
  return into;
}

const short = (text = "absent") => (text.length > 60 ? `${text.slice(0, 57)}…` : text);
