import { createHash } from "node:crypto";
import type { RunsFolder } from "./folder.ts";
import { type LineReader, readBytes } from "./growing-file.ts";
import { KnownFiles } from "./known-files.ts";
import { Refusal } from "./refusal.ts";
import type { TranscriptLine } from "./run-wire.ts";
import { isTrained } from "./token-makers.ts";
import { faultIn } from "./transcript-form.ts";

const file = "transcripts.jsonl";
/** Maximum number of transcripts listed for a run: the last ones. */
const mostLines = 5000;
/** Maximum number of characters of a prompt in the list. */
const most = 160;

/** The transcripts of language runs. */
export class Transcripts {
  private readonly folder: RunsFolder;
  private readonly known: KnownFiles<TranscriptIndex>;

  constructor(folder: RunsFolder) {
    this.folder = folder;
    this.known = new KnownFiles(folder, file, () => new TranscriptIndex());
  }

  /** The transcripts of a run, oldest first. */
  async list(name: string): Promise<TranscriptLine[]> {
    return (await this.known.of(name)).lines.map(({ head }) => head);
  }

  /** One transcript, as it was written. */
  async one(name: string, number: number): Promise<object> {
    const found = (await this.known.of(name)).lines.find(({ head }) => head.number === number);
    const text =
      found && (await this.folder.reading(name, [file], (f) => readBytes(f, found.at, found.bytes)));
    if (!text) throw new Refusal(404, `transcript ${number} not found`);
    const line = parsed(text.toString("utf8"));
    if (!line) throw new Refusal(422, "the transcript was changed after it was listed: reload the page");
    const fault = faultIn(line);
    if (fault !== undefined) throw new Refusal(422, `the transcript cannot be read: ${fault}`);
    return line;
  }
}

/** The index entry of a transcript. Its tokens stay on disk. */
interface Indexed {
  readonly at: number;
  readonly bytes: number;
  readonly head: TranscriptLine;
}

/** The index of a file of transcripts. */
class TranscriptIndex implements LineReader {
  private found: Indexed[] = [];
  private count = 0;

  get lines(): readonly Indexed[] {
    return this.found.slice(-mostLines);
  }

  take(lines: Buffer, at: number): void {
    for (let from = 0; from < lines.length; ) {
      const to = lines.indexOf(10, from);
      const head = headOf(parsed(lines.toString("utf8", from, to)), this.count);
      if (head) this.keep({ at: at + from, bytes: to - from, head });
      from = to + 1;
    }
  }

  forget(): void {
    [this.found, this.count] = [[], 0];
  }

  private keep(line: Indexed): void {
    this.count++;
    this.found.push(line);
    if (this.found.length > 2 * mostLines) this.found = this.found.slice(-mostLines);
  }
}

function parsed(line: string): Record<string, unknown> | undefined {
  try {
    return Object(JSON.parse(line)) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

function headOf(line: Readonly<Record<string, unknown>> = {}, number: number): TranscriptLine | undefined {
  const { version, step, key, task, role, by, prompt, answer, reward, score, failed } = line;
  const { tokens, makers, messages } = line;
  if (version !== 1 || typeof step !== "number" || !Array.isArray(tokens)) return undefined;
  return {
    ...{ number, step },
    task: briefly(task),
    by: by === "teacher" ? "teacher" : "policy",
    ...(typeof role === "string" ? { role: briefly(role) } : {}),
    // Transcripts of earlier versions have no key.
    problem: createHash("sha256")
      .update(String(key ?? prompt))
      .digest("base64url")
      .slice(0, 16),
    prompt: briefly(prompt),
    answer: briefly(answer),
    reward: typeof reward === "number" ? reward : null,
    score: typeof score === "number" ? score : null,
    tokens: tokens.length,
    trained: Array.isArray(makers) ? makers.filter(isTrained).length : 0,
    turns: Array.isArray(messages) ? messages.length : 1,
    failed: typeof failed === "string",
  };
}

/** The beginning of a text, copied: a slice would keep the whole string in memory. */
const briefly = (text: unknown): string =>
  typeof text === "string" ? Buffer.from(text.slice(0, most)).toString() : "";
