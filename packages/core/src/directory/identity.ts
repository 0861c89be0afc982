import { fail } from "../errors.ts";
import type { CheckpointHead } from "./checkpoint.ts";
import type { RunConfig } from "./config.ts";
import { encode, type Json } from "./tree.ts";

/**
 * What of a configuration decides a run's numbers, for its checkpoints to hold: `config.json` has no digest, so that people can read and
 * mend it, and a checkpoint would fit that of another seed.
 */
export function identityOf(config: RunConfig): Json {
  const deciding = Object.entries(config).filter(([name]) => !besides.includes(name));
  return encode(Object.fromEntries(deciding), new Map());
}

/** When and how it was made; what resuming may change; and places on a machine, which are others on another. */
const besides = [
  ...["format", "created", "command", "commit"],
  ...["steps", "checkpointEvery", "evalEpisodes", "evalEvery", "solved"],
  ...["module", "saveModel", "saveAdapters"],
];

/** Refuses a checkpoint that was made with another configuration. One of before they held it is believed, and that is said. */
export function admitConfig(
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
  const [was, is] = [flat(head.config), flat(identityOf(config))];
  const names = [...new Set([...was.keys(), ...is.keys()])].filter(
    // A checkpoint of before may hold more than decides now.
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

/** Values by their paths, so that neither the order of names nor the layout counts. */
function flat(value: Json | undefined, path = "", into = new Map<string, string>()): Map<string, string> {
  const below = typeof value === "object" && value !== null ? Object.entries(value) : [];
  if (below.length === 0) into.set(path, JSON.stringify(value));
  for (const [name, inner] of below) flat(inner as Json, path ? `${path}.${name}` : name, into);
  return into;
}

const short = (text = "absent") => (text.length > 60 ? `${text.slice(0, 57)}…` : text);
