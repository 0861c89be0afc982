import type { RunsFolder } from "./folder.ts";
import { LinesIndex } from "./lines-index.ts";
import { Refusal } from "./refusal.ts";
import type { TranscriptLine } from "./wire.ts";

/** Most characters of a prompt in the list. */
const most = 160;

/** The transcripts of runs in words. What was read of a file is not read again. */
export class Transcripts {
  private readonly folder: RunsFolder;
  private readonly known = new Map<string, LinesIndex<Omit<TranscriptLine, "number">>>();

  constructor(folder: RunsFolder) {
    this.folder = folder;
  }

  /** The transcripts of a run, oldest first. */
  async list(name: string): Promise<TranscriptLine[]> {
    const index = await this.index(name);
    return (await index?.lines())?.map(({ head }, number) => ({ number, ...head })) ?? [];
  }

  /** One of them, as it was written. */
  async one(name: string, number: number): Promise<unknown> {
    const index = await this.index(name);
    const found = (await index?.lines())?.[number];
    if (!index || !found) throw new Refusal(404, "no such transcript");
    return index.line(found);
  }

  private async index(name: string) {
    const path = await this.folder.fileOf(name, "transcripts.jsonl");
    if (path === undefined) return undefined;
    const found = this.known.get(path) ?? new LinesIndex(path, headOf);
    this.known.set(path, found);
    return found;
  }
}

function headOf(line: unknown): Omit<TranscriptLine, "number"> | undefined {
  const { version, step, task, by, prompt, answer, reward, score, tokens, messages, failed } = line as Record<
    string,
    unknown
  >;
  if (version !== 1 || typeof step !== "number" || !Array.isArray(tokens)) return undefined;
  return {
    step,
    task: typeof task === "string" ? task : "",
    by: by === "teacher" ? "teacher" : "policy",
    prompt: String(prompt ?? "").slice(0, most),
    answer: String(answer ?? "").slice(0, most),
    reward: typeof reward === "number" ? reward : null,
    score: typeof score === "number" ? score : null,
    tokens: tokens.length,
    turns: Array.isArray(messages) ? messages.length : 1,
    failed: typeof failed === "string",
  };
}
