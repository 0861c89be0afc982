import { createHash } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { resolve } from "node:path";
import { fail } from "@reins/core";
import { noMore, readArguments } from "../cli/arguments.ts";
import type { Command } from "../cli/command.ts";
import { number, text, toggle, whole } from "../cli/flags.ts";
import { listenForInterrupt } from "../cli/interrupt.ts";
import { useThreads } from "../cli/threads.ts";
import { usageError } from "../cli/usage.ts";
import { notInstalled } from "../places/optional.ts";
import { grouped } from "../terminal/format.ts";
import { print } from "../terminal/io.ts";
import { linesOf } from "./generate/lines.ts";
import { type Fields, objectIn, writtenReplies } from "./generate/resume.ts";

const flags = {
  prompts: text(
    "FILE",
    "JSON Lines with messages or prompt; temperature, max_tokens, tools and more apply to a line",
  ),
  out: text("FILE", "JSON Lines with each prompt's fields, completion, finish_reason and tokens"),
  adapter: text("FOLDER", "PEFT adapters"),
  system: text("TEXT", "system message of conversations that have none"),
  temperature: number("X", "sampling temperature; greedy by default"),
  "top-p": number("X", "nucleus sampling: the probability that is kept"),
  "max-tokens": whole("N", "maximum tokens of a reply (default 1,024)", 1),
  seed: whole("N", "seed of sampling (default 0)"),
  sample: toggle("sample replies with the model's own settings (default: greedy)"),
  context: whole("N", "maximum tokens of a prompt and its reply (default: the model's, at most 4,096)", 2),
  rows: whole(
    "N",
    "replies generated at the same time (default: up to 64, within 1 GiB of KV caches)",
    1,
    4096,
  ),
  threads: whole("N", "threads for compiled code (default 1)", 1),
};

/** `reins generate` */
export const command: Command = {
  usage: "generate <folder> --prompts FILE --out FILE [flags]",
  about: `Generates a reply to each line of a file. Both files are streamed, and replies are written in the order of the prompts. The same command continues a file that an earlier call left unfinished, with the same replies as a call that was not interrupted.`,
  groups: () => ({ Flags: flags }),
  examples: [
    ["reins generate ./qwen3 --prompts in.jsonl --out out.jsonl", "greedy replies"],
    ["reins generate ./qwen3 --prompts in.jsonl --out out.jsonl --temperature 0.7 --seed 1", "sampled ones"],
  ],
  async run(args, io) {
    const { words, flags: given } = readArguments(args, flags, { command: "generate" });
    noMore(words, 1, "generate");
    const { prompts, out, adapter, system, temperature, "max-tokens": limit, seed, threads } = given;
    const [
      folder = usageError(
        "missing folder. Example: reins generate ./model --prompts in.jsonl --out out.jsonl.",
      ),
    ] = words;
    if (prompts === undefined || out === undefined) return usageError("--prompts and --out are required.");
    if (isSame(prompts, out)) usageError("--prompts and --out are the same file.");
    if (!existsSync(prompts)) usageError(`--prompts ${prompts}: the file does not exist.`);
    useThreads(threads);
    const { gateway } = await import("@reins/language").catch(notInstalled("@reins/language", folder));
    const { context, rows } = given;
    const models = await gateway.engineOptions({
      ...{ folder, context, rows },
      adapters: adapter === undefined ? {} : { adapter },
    });
    const engine = new gateway.Engine(models[models.length - 1]);
    const fields = {
      ...(temperature === undefined ? {} : { temperature }),
      ...(given["top-p"] === undefined ? {} : { top_p: given["top-p"] }),
      ...(limit === undefined ? {} : { max_tokens: limit }),
    };
    const sample = given.sample ?? (temperature !== undefined || given["top-p"] !== undefined);
    const options = {
      fields,
      sample,
      ...(seed === undefined ? {} : { seed }),
      ...(system === undefined ? {} : { system }),
    };
    const settings = keyOf({ ...options, model: resolve(folder), adapter, context: engine.context });
    const before = await writtenReplies(out, settings, promptsIn(prompts));
    const interrupt = listenForInterrupt();
    const file = await open(out, "a");
    let [done, failed] = [before, 0];
    try {
      const requests = async function* () {
        let index = 0;
        for await (const [number, line] of promptsIn(prompts)) {
          if (interrupt.code !== undefined) return;
          if (index < before) {
            index++;
            continue;
          }
          try {
            yield [gateway.batchRequest(line, index++, engine, options), line] as const;
          } catch (error) {
            fail(`${prompts}:${number}`, (error as Error).message);
          }
        }
      };
      for await (const { asked, reply, error } of gateway.batchReplies(engine, requests(), options)) {
        await file.appendFile(`${JSON.stringify({ ...asked, ...(reply ?? { error }), settings })}\n`);
        done++;
        if (error !== undefined) failed++;
      }
    } finally {
      interrupt.off();
      await file.close();
    }
    const stopped = interrupt.code === undefined ? "" : " Stopped; the same command continues.";
    print(
      io.out,
      `${grouped(done)} ${done === 1 ? "reply" : "replies"} in ${out}${failed ? `, ${failed} of them errors` : ""}.${stopped}`,
    );
    return interrupt.code ?? 0;
  },
};

/** Whether two paths are one file, also through links. */
function isSame(a: string, b: string): boolean {
  const [one, other] = [a, b].map((path) => statSync(path, { throwIfNoEntry: false }));
  return resolve(a) === resolve(b) || (one && other ? one.ino === other.ino && one.dev === other.dev : false);
}

/** A key of all settings that replies depend on, besides their prompts. */
const keyOf = (settings: object): string =>
  createHash("sha256").update(JSON.stringify(settings)).digest("hex").slice(0, 16);

/** The prompts of a file, with their line numbers. Blank lines are left out. */
async function* promptsIn(path: string): AsyncGenerator<readonly [number: number, fields: Fields]> {
  for await (const { text, number } of linesOf(path))
    if (text.trim() !== "") yield [number, objectIn(text, `${path}:${number}`)];
}
