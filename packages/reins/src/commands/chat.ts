import { createInterface } from "node:readline/promises";
import { noMore, readArguments } from "../cli/arguments.ts";
import type { Command } from "../cli/command.ts";
import { number, text, toggle, whole } from "../cli/flags.ts";
import { useThreads } from "../cli/threads.ts";
import { usageError } from "../cli/usage.ts";
import { notInstalled } from "../places/optional.ts";
import { type Io, inkOf, print, shownOn } from "../terminal/io.ts";
import { ChatConversation } from "./chat/conversation.ts";

const flags = {
  system: text("TEXT", "system message"),
  adapter: text("FOLDER", "PEFT adapters"),
  temperature: number("X", "sampling temperature (default: the model's own settings)"),
  greedy: toggle("the most likely reply"),
  "max-tokens": whole("N", "maximum tokens of a reply (default 1,024)", 1),
  seed: whole("N", "seed of sampling (default 0)"),
  context: whole("N", "maximum tokens of the conversation (default: the model's, at most 4,096)", 2),
  threads: whole("N", "threads for compiled code (default 1)", 1),
};

const help =
  "/clear forgets the conversation, /system TEXT sets the system message, /exit ends. Ctrl-C stops a reply.";

/** `reins chat` */
export const command: Command = {
  usage: "chat <folder> [flags]",
  about: `Talks to the model of a Hugging Face folder. Replies are sampled and shown as they are generated. ${help}`,
  groups: () => ({ Flags: flags }),
  examples: [
    ["reins chat ./qwen3", "a conversation"],
    [`reins chat ./qwen3 --adapter ./sql --system "Answer in SQL." --greedy`, "with adapters"],
  ],
  async run(args, io) {
    const { words, flags: given } = readArguments(args, flags, { command: "chat" });
    noMore(words, 1, "chat");
    const { adapter, system, temperature, greedy = false, "max-tokens": limit, seed = 0, context } = given;
    const [folder = usageError("missing folder. Example: reins chat ./model.")] = words;
    if (greedy && temperature !== undefined) usageError("--greedy and --temperature exclude each other.");
    useThreads(given.threads);
    const { gateway } = await import("@reins/language").catch(notInstalled("@reins/language", folder));
    const models = await gateway.engineOptions({
      ...{ folder, context, rows: 1 },
      adapters: adapter === undefined ? {} : { adapter },
    });
    const engine = new gateway.Engine(models[models.length - 1]);
    const conversation = new ChatConversation({
      engine,
      session: new gateway.Session("chat", { seed, greedy, passing: true }),
      fields: {
        ...(temperature === undefined ? {} : { temperature }),
        ...(limit === undefined ? {} : { max_tokens: limit }),
      },
      ...(system === undefined ? {} : { system }),
      request: gateway.chatRequest,
      stream: () => new gateway.TextStream(models[0].tokenizer, []),
    });
    print(io.out, `${folder}   context ${engine.context}`, help, "");
    return talk(conversation, io);
  },
};

/** Reads messages from standard input until its end or `/exit`. */
async function talk(conversation: ChatConversation, io: Io): Promise<number> {
  const terminal = process.stdin.isTTY === true && io.out.isTTY === true;
  const lines = createInterface({
    input: process.stdin,
    ...(terminal ? { output: process.stdout, prompt: "> " } : {}),
  });
  let replying: AbortController | undefined;
  const interrupt = () => (replying ? replying.abort(new Error("The reply was stopped.")) : lines.close());
  lines.on("SIGINT", interrupt);
  if (!terminal) process.on("SIGINT", interrupt);
  const ink = inkOf(io.out);
  try {
    lines.prompt();
    for await (const line of lines) {
      const [, name, rest] = /^\/(\w+)\s*(.*)$/s.exec(line.trim()) ?? [];
      if (name === "exit" || name === "quit") break;
      if (name === "clear") conversation.clear();
      else if (name === "system") conversation.system = rest || undefined;
      else if (name !== undefined) print(io.out, `/${name} is not a command. ${help}`);
      else if (line.trim() !== "") {
        replying = new AbortController();
        try {
          await conversation.say(line, (piece) => io.out.write(shownOn(io.out, piece)), replying.signal);
        } catch (error) {
          io.out.write(`\n${ink.dim(shownOn(io.out, (error as Error).message))}`);
        }
        replying = undefined;
        io.out.write("\n");
      }
      lines.prompt();
    }
  } finally {
    process.off("SIGINT", interrupt);
    lines.close();
  }
  return 0;
}
