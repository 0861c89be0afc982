import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { readEvents } from "@reins/core/directory";

/** The parts of a folder that must be equal, by file name: digests, or text without wall-clock times. */
export type FolderState = { readonly [file: string]: string };

/** Numbers that depend on the clock, in files with other contents. */
const clocks = ["created", "seconds", "stepsPerSecond", "at", "cpu", "memory"];
const timeless = (text: string) => {
  try {
    return JSON.stringify(JSON.parse(text), (key, value) => (clocks.includes(key) ? undefined : value));
  } catch {
    return text; // damaged
  }
};

/** All files that a run has left in a folder. */
export function folderState(folder: string): FolderState {
  const found: Record<string, string> = {};
  const events: string[] = [];
  for (const path of filesIn(folder)) {
    const name = relative(folder, path);
    if (statSync(path).isSocket()) found[name] = "a socket";
    else if (/events\.out\.tfevents/.test(name)) events.push(path);
    else if (/(config|summary)\.json$/.test(name) && name.startsWith("run"))
      // A run stores the full path of its model, and every run here has a separate folder.
      found[name] = timeless(read(path)).replaceAll(folder, ".");
    else if (/checkpoints\.written$/.test(name))
      found[name] = "there"; // a marker, whose contents do not matter
    else if (/times\.jsonl$/.test(name))
      found[name] = read(path).trim().split("\n").filter(Boolean).map(timeless).join("\n");
    else found[name] = createHash("sha256").update(readFileSync(path)).digest("hex");
  }
  // The names of event files contain times, and every process starts a new one.
  if (events.length)
    found.events = events
      .flatMap((path) => readEvents(path).filter((e) => !e.restart && !e.version))
      .map((e) => JSON.stringify({ ...e, time: 0, wallTime: 0 }))
      .join("\n");
  return found;
}

const read = (path: string) => readFileSync(path, "utf8");

/** Every file below a folder, and every folder that is empty. */
export function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const path = join(folder, name);
      if (!statSync(path).isDirectory()) return [path];
      return filesIn(path);
    });
}

/** The differences between two folders, a few words each. */
export function differences(expected: FolderState, found: FolderState): string[] {
  const names = [...new Set([...Object.keys(expected), ...Object.keys(found)])].sort();
  return names.flatMap((name) => {
    if (!(name in found)) return [`${name} is missing`];
    if (!(name in expected)) return [`${name} should not be there`];
    return expected[name] === found[name] ? [] : [`${name} differs`];
  });
}

/** Whether a difference is only left over from a killed process (a draft, a claim, an older checkpoint): nothing is lost or wrong. */
export const isLitter = (difference: string) =>
  /(\.part|control\.sock|lock\.[\w.]+|checkpoints\/\d+(\.old)?\/state\.\w+) should not be there$/.test(
    difference,
  );
