import { promises as fs } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { readStretch } from "./columns.ts";
import { namesIn, type RunsFolder } from "./folder.ts";
import type { KnownFiles } from "./known-files.ts";
import { openPlainFile } from "./plain-files.ts";
import { Refusal } from "./refusal.ts";
import type { RunLog } from "./run-log.ts";
import { absent, type RunFile } from "./run-wire.ts";
import { tarFiller, tarHeader } from "./tar.ts";

/** Files of a run that can be downloaded, with descriptions. */
const plain: Readonly<Record<string, string>> = {
  "config.json": "Configuration",
  "last.agent": "Agent at the end of training",
  "best.agent": "Best agent of the evaluations",
  "metrics.jsonl": "Metrics as JSON lines",
  "times.jsonl": "Times and memory as JSON lines",
  "summary.json": "Result",
  "samples.jsonl": "Sampled answers",
  "transcripts.jsonl": "Transcripts, token by token",
};

/** Limits: bytes of a file, files of a checkpoint, columns of a table. */
const mostBytes = 8 * 2 ** 30;
const mostParts = 64;
const mostColumns = 1000;

const checkpoint = /^checkpoint-(\d{1,16})\.tar$/;

/** The downloads of a run: its files, its metrics as CSV, and a tar file for each checkpoint. */
export async function filesOf(folder: RunsFolder, run: string): Promise<RunFile[]> {
  const path = await folder.pathOf(run);
  const found: RunFile[] = [];
  for (const [name, about] of Object.entries(plain)) {
    const stat = await fs.lstat(join(path, name)).catch(() => undefined);
    if (!stat?.isFile()) continue;
    found.push({ name, about, bytes: stat.size });
    if (name === "metrics.jsonl") found.push({ name: "metrics.csv", about: "Metrics as CSV", bytes: null });
  }
  const steps = (await namesIn(join(path, "checkpoints"))).filter((name) => /^\d{1,16}$/.test(name));
  for (const name of steps.sort((a, b) => Number(b) - Number(a)))
    found.push({ name: `checkpoint-${name}.tar`, about: `Checkpoint at ${name} steps`, bytes: null });
  return found;
}

/** A download of a run. Accepts only names from {@link filesOf}. */
export async function fileOf(
  folder: RunsFolder,
  logs: KnownFiles<RunLog>,
  run: string,
  name: string,
): Promise<Response> {
  const path = await folder.pathOf(run);
  const [, steps] = checkpoint.exec(name) ?? [];
  if (steps !== undefined) {
    if ((await folder.folderOf(run, "checkpoints")) === undefined) throw none(name);
    return download(run, name, await checkpointIn(join(path, "checkpoints", steps), name));
  }
  if (name === "metrics.csv") {
    const names = [...(await logs.of(run)).names];
    if (names.length > mostColumns)
      throw new Refusal(413, `${names.length} metrics are too many for CSV: download metrics.jsonl`);
    const file = await openPlainFile(join(path, "metrics.jsonl"), mostBytes);
    if (!file) throw none(name);
    return download(run, name, tableOf(file, names));
  }
  if (!Object.hasOwn(plain, name)) throw none(name);
  const file = await openPlainFile(join(path, name), mostBytes);
  if (!file) throw none(name);
  return download(run, name, bytesOf(file, (await file.stat()).size));
}

const none = (name: string) => new Refusal(404, `the run has no file ${name}`);

function download(run: string, name: string, bytes: AsyncIterable<Uint8Array>): Response {
  const file = `${run}-${name}`.replace(/[^\w.-]+/g, "_");
  const headers = {
    "content-type": "application/octet-stream",
    "content-disposition": `attachment; filename="${file}"`,
  };
  return new Response(Readable.toWeb(Readable.from(bytes)) as ReadableStream<Uint8Array>, { headers });
}

/** The first `size` bytes of a file, since a log may grow during the download. */
async function* bytesOf(file: fs.FileHandle, size: number): AsyncGenerator<Uint8Array> {
  try {
    for (let at = 0; at < size; ) {
      const wanted = Math.min(1 << 20, size - at);
      const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(wanted), 0, wanted, at);
      if (bytesRead === 0) throw new Error("the file was truncated during the download: try again");
      yield buffer.subarray(0, bytesRead);
      at += bytesRead;
    }
  } finally {
    await file.close();
  }
}

/** Rows of metrics as comma-separated values. */
async function* tableOf(file: fs.FileHandle, names: readonly string[]): AsyncGenerator<Uint8Array> {
  const quoted = (name: string) => (/[",\n]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name);
  try {
    yield Buffer.from(`${["step", ...names].map(quoted).join(",")}\n`);
    for (let [from, mark, more]: [number, number | null, boolean] = [0, null, true]; more; ) {
      const part = await readStretch(file, { from, mark, names });
      // The log was truncated.
      if (part.anew) return;
      const text = (x: number) => (x === absent ? "" : String(x));
      let lines = "";
      for (let i = 0; i < part.rows; i++) lines += `${part.columns.map((c) => text(c[i])).join(",")}\n`;
      yield Buffer.from(lines);
      [from, mark, more] = [part.next, part.mark, part.more];
    }
  } finally {
    await file.close();
  }
}

/** The files of a checkpoint as a tar file. */
async function checkpointIn(path: string, name: string): Promise<AsyncGenerator<Uint8Array>> {
  const parts = (await namesIn(path)).filter((part) => /^[\w.-]{1,90}$/.test(part)).slice(0, mostParts);
  if (parts.length === 0) throw none(name);
  return (async function* () {
    for (const part of parts) {
      const file = await openPlainFile(join(path, part), mostBytes);
      if (!file) continue;
      const { size } = await file.stat();
      yield tarHeader(part, size);
      yield* bytesOf(file, size);
      yield tarFiller(size);
    }
    // Two empty blocks mark the end.
    yield new Uint8Array(1024);
  })();
}
