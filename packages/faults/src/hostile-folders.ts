import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { strangeBytes, strangeJson } from "./hostile-values.ts";
import type { Random } from "./random.ts";

/** A run to modify, and the files beside it that must not change. */
export interface Target {
  readonly run: string;
  readonly canary: string;
}

type Attack = (target: Target, random: Random) => string;

/** Paths in a run's folder that Reins reads or writes, including optional ones. */
const others = [
  ...[
    "lock",
    "samples.jsonl",
    "transcripts.jsonl",
    "studio.json",
    "best.agent",
    "control.sock",
    "lock.h.1.1.0",
  ],
  ...[
    "config.json.1.part",
    "checkpoints/.writing-64",
    "episodes/1.safetensors",
    "checkpoints/99999999999999999999",
  ],
  ...[
    "episodes/999999999999999.json",
    "episodes/3.json",
    "events.out.tfevents.1.x.1.0",
    "checkpoints.written",
  ],
];

function pathIn({ run }: Target, random: Random): string {
  const all = readdirSync(run, { recursive: true, withFileTypes: true });
  const there = all.map((entry) => relative(run, join(entry.parentPath, entry.name)));
  return random.of(random.chance(0.7) ? there : others);
}

/** Removes whatever is at a path, and creates its parent folder. */
function cleared({ run }: Target, name: string): string {
  const path = join(run, name);
  rmSync(path, { recursive: true, force: true });
  mkdirSync(dirname(path), { recursive: true });
  return path;
}

/** A path of a regular file: an earlier attack may have put a link or a pipe there. */
function regular(path: string): string {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat && !stat.isFile()) throw new Error(`${path} is not a file`);
  return path;
}

const link: Attack = (target, random) => {
  const name = pathIn(target, random);
  const path = cleared(target, name);
  const like = join(target.canary, name.replace(/\d{3,}/, "12345"));
  const to = random.of([existsSync(like) ? like : target.canary, target.canary, join(target.canary, "file")]);
  const where = random.chance(0.8) ? to : random.of(["/dev/zero", path, join(target.canary, "new")]);
  symlinkSync(random.chance(0.5) ? relative(dirname(path), where) || "." : where, path);
  return `${name} is a link to ${relative(target.run, where)}`;
};

const hardLink: Attack = (target, random) => {
  const name = random.of([
    "metrics.jsonl",
    "times.jsonl",
    "config.json",
    "summary.json",
    "samples.jsonl",
    "lock",
  ]);
  const path = regular(join(target.run, name));
  const twin = join(target.canary, `twin-${name}`);
  writeFileSync(twin, existsSync(path) ? readFileSync(path) : "");
  rmSync(path, { force: true });
  linkSync(twin, path);
  return `${name} has a second hard link`;
};

const special: Attack = (target, random) => {
  const name = pathIn(target, random);
  const path = cleared(target, name);
  const made = random.chance(0.5) && spawnSync("mknod", [path, "c", "1", "5"]).status === 0;
  if (!made) spawnSync("mkfifo", [path]);
  return `${name} is ${made ? "a device" : "a pipe"}`;
};

const folderOrFile: Attack = (target, random) => {
  const name = pathIn(target, random);
  const path = cleared(target, name);
  const isFolder = random.chance(0.5);
  if (isFolder) mkdirSync(path);
  else writeFileSync(path, "");
  return `${name} is ${isFolder ? "a folder" : "an empty file"}`;
};

/** Replaces one random value in a JSON file. */
const value: Attack = (target, random) => {
  const files = ["config.json", "config.json", "summary.json", "studio.json", "lock"];
  const name = random.of(files);
  const path = regular(join(target.run, name));
  const json = strangeJson(random, target.canary);
  let record: Record<string, unknown> = {};
  try {
    record = Object(JSON.parse(readFileSync(path, "utf8")));
  } catch {}
  const added = [
    "module",
    "algorithmModule",
    "files",
    "judge",
    "dataset",
    "wrappers",
    "saveModel",
    "learned",
    "__proto__",
  ];
  const key = random.of([...Object.keys(record), ...added]);
  const inner = record[key];
  const below = Object.keys(Object(inner));
  // As text, so that names such as __proto__ are kept.
  const nested = below.length && random.chance(0.6) ? random.of(below) : undefined;
  const mark = "\u0001mark";
  const changed =
    nested === undefined
      ? { ...record, [key]: mark }
      : { ...record, [key]: { ...Object(inner), [nested]: mark } };
  const text = JSON.stringify(changed).replace(JSON.stringify(mark), () => json);
  writeFileSync(path, key === "__proto__" ? text.replace(/^\{/, () => `{"__proto__":${json},`) : text);
  return `${name}: ${[key, nested].filter((k) => k !== undefined).join(".")} is ${json.slice(0, 60)}`;
};

const bytes: Attack = (target, random) => {
  const all = readdirSync(target.run, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const { parentPath, name } = random.of(all);
  const path = join(parentPath, name);
  writeFileSync(path, strangeBytes(random, readFileSync(path)));
  return `${relative(target.run, path)} has other bytes`;
};

const lines: Attack = (target, random) => {
  const name = random.of(["metrics.jsonl", "times.jsonl", "transcripts.jsonl", "samples.jsonl"]);
  const path = regular(join(target.run, name));
  const before = existsSync(path) ? readFileSync(path, "utf8") : "";
  const count = 1 + random.below(4);
  const rows = Array.from({ length: count }, () => {
    const key = JSON.stringify(
      random.of(["return/mean", "step", "__proto__", "\u001b[2J", "setting/lr", "version"]),
    );
    return `{"version":1,"step":${random.below(200)},${key}:${strangeJson(random, target.canary)},"tokens":["a"]}`;
  });
  writeFileSync(path, before + rows.map((row) => `${row}\n`).join(""));
  return `${name} has ${count} strange lines`;
};

/** Copies a file or folder to another name of its kind, with any number. */
const copied: Attack = (target, random) => {
  const numbered = ["episodes", "checkpoints"].flatMap((folder) =>
    readdirSync(join(target.run, folder)).map((name) => join(folder, name)),
  );
  const from = random.of(numbered);
  const number = random.of(["0", "2", "65", "999999999999999", "99999999999999999999", "1e3", "..", "-1"]);
  const to = from.replace(/\d+/, number);
  cpSync(join(target.run, from), join(target.run, to), { recursive: true });
  return `${from} was copied to ${to}`;
};

/** Replaces a value in a file that contains its own digest, and updates the digest. */
const resealed: Attack = (target, random) => {
  const files = readdirSync(target.run, { recursive: true, encoding: "utf8" }).filter((name) =>
    /^episodes.\d+\.json$|state\.json$/.test(name),
  );
  const name = random.of(files);
  const path = regular(join(target.run, name));
  const { sha256: _, ...record } = JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>;
  // Descends to a value, preferring branches with more below them.
  let at = record;
  let key = random.of(Object.keys(at));
  while (Object.keys(Object(at[key])).length > 0 && random.chance(0.7)) {
    at = at[key] as Record<string, unknown>;
    key = random.of(Object.keys(at));
  }
  const json = strangeJson(random, target.canary);
  const mark = "\u0001mark";
  at[key] = mark;
  const rest = `${JSON.stringify(record)
    .replace(JSON.stringify(mark), () => json)
    .slice(1)}\n`;
  writeFileSync(path, `{"sha256":"${createHash("sha256").update(rest).digest("hex")}",${rest}`);
  return `${name}: ${key} is ${json.slice(0, 60)}, with its digest`;
};

const attacks: readonly Attack[] = [
  ...[link, link, link, hardLink, special, folderOrFile, value, value, value],
  ...[bytes, bytes, lines, copied, resealed, resealed, resealed],
];

/** Attacks a run folder in one to three ways, and describes them. */
export function makeHostile(target: Target, random: Random): string {
  const done: string[] = [];
  for (let n = 1 + random.below(3); n > 0; n--)
    try {
      done.push(random.of(attacks)(target, random));
    } catch {
      // An earlier attack has left nothing to change there.
    }
  return done.join("; ");
}
