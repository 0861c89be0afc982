import { createHash, randomUUID } from "node:crypto";
import { closeSync, mkdirSync, openSync, readdirSync, writeSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { message, number, text } from "./protobuf.ts";
import type { MetricRow, SinkRun, SinkWriter } from "./sink.ts";

/**
 * Writes rows as an offline run of Weights & Biases, which `wandb sync` uploads: protocol buffer records in the block format of
 * LevelDB's log. Field numbers are those of W&B's messages. A resumed run rewrites its file under the same id.
 */
export function wandbFile(folder: string, run: SinkRun): SinkWriter {
  const { created } = run.config;
  const began = typeof created === "string" ? new Date(created) : new Date();
  const id = createHash("sha256")
    .update(typeof created === "string" ? `${run.name} ${created}` : randomUUID())
    .digest("hex")
    .slice(0, 8);
  const path = folderOf(folder, id, began);
  mkdirSync(join(path, "files"), { recursive: true });
  const log = new BlockLog(join(path, `run-${id}.wandb`));
  let count = 0;
  const record = (field: number, content: Uint8Array) =>
    log.append(Buffer.concat([number(1, ++count), message(field, content)]));
  /** W&B merges rows of one step: steps rise from row to row. */
  let held: MetricRow | undefined;
  const flush = () => {
    if (!held) return;
    const { step, ...metrics } = held;
    const now = Date.now();
    const items = Object.entries({
      ...metrics,
      _step: step,
      _timestamp: now / 1000,
      _runtime: (now - began.getTime()) / 1000,
    }).map(([name, value]) => item(name, String(value)));
    record(fields.summary, Buffer.concat(items));
    record(fields.history, Buffer.concat([...items, message(2, number(1, step))]));
    held = undefined;
  };
  const row = (next: MetricRow) => {
    if (held?.step === next.step) held = { ...held, ...next };
    else {
      flush();
      held = next;
    }
  };
  record(fields.header, message(1, Buffer.concat([text(1, "reins"), text(2, "0.12.0")])));
  record(fields.run, aboutOf(run, id, began));
  for (const before of run.rows) row(before);
  return {
    row,
    close(ended) {
      flush();
      record(fields.exit, number(1, ended === "crashed" ? 1 : 0));
      log.close();
    },
  };
}

/** Fields of W&B's `Record`. */
const fields = { history: 2, summary: 3, run: 17, exit: 18, header: 21 };

/** A metric in a history or summary: names may contain slashes, so each is a key of one part. */
const item = (name: string, json: string) => message(1, Buffer.concat([text(2, name), text(16, json)]));

/** W&B's `RunRecord`: id, project, configuration, name, start time. */
function aboutOf({ name, config }: SinkRun, id: string, began: Date): Uint8Array {
  const updates = Object.entries(config).flatMap(([key, value]) => {
    const json = JSON.stringify(value);
    return json === undefined ? [] : [message(1, Buffer.concat([text(1, key), text(16, json)]))];
  });
  return Buffer.concat([
    text(1, id),
    text(3, "reins"),
    message(4, Buffer.concat(updates)),
    text(8, name),
    message(17, number(1, Math.floor(began.getTime() / 1000))),
  ]);
}

/** The folder that `wandb sync` reads: the existing one of this run, or a new one. */
function folderOf(folder: string, id: string, began: Date): string {
  mkdirSync(folder, { recursive: true });
  const known = readdirSync(folder).find(
    (name) => name.startsWith("offline-run-") && name.endsWith(`-${id}`),
  );
  const [day, hours] = began
    .toISOString()
    .replace(/[-:]|\..*/g, "")
    .split("T");
  return join(folder, known ?? `offline-run-${day}_${hours}-${id}`);
}

/** A log of records in blocks of 32 KiB, as in LevelDB, with plain CRC-32 checksums and W&B's seven bytes at its head. */
class BlockLog {
  private readonly fd: number;
  private at: number;

  constructor(path: string) {
    this.fd = openSync(path, "w");
    this.at = writeSync(this.fd, Buffer.from([...Buffer.from(":W&B"), 0xe1, 0xbe, 0]));
  }

  /** Adds a record, split if it does not fit into its block. */
  append(record: Uint8Array): void {
    for (let done = 0, first = true; done < record.length || first; first = false) {
      let room = blockSize - (this.at % blockSize);
      if (room < headSize) {
        this.at += writeSync(this.fd, Buffer.alloc(room));
        room = blockSize;
      }
      const piece = record.subarray(done, done + room - headSize);
      done += piece.length;
      const last = done === record.length;
      const kind = first ? (last ? 1 : 2) : last ? 4 : 3;
      const head = Buffer.alloc(headSize);
      head.writeUInt32LE(crc32(piece, crc32(Buffer.of(kind))), 0);
      head.writeUInt16LE(piece.length, 4);
      head[6] = kind;
      this.at += writeSync(this.fd, Buffer.concat([head, piece]));
    }
  }

  close(): void {
    closeSync(this.fd);
  }
}

const blockSize = 32_768;
const headSize = 7;
