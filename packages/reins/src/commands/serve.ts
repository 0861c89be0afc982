import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ServeOptions, ServerHandle } from "@reins/core";
import type { gateway as Api } from "@reins/language";
import { noMore, readArguments } from "../cli/arguments.ts";
import { codeFlags, givenCode } from "../cli/code-flags.ts";
import type { Command } from "../cli/command.ts";
import { findRun, root } from "../cli/find-run.ts";
import { type GivenFlags, named, text, toggle, whole } from "../cli/flags.ts";
import { type Interrupt, listenForInterrupt } from "../cli/interrupt.ts";
import { agentFlags } from "../cli/open-agent.ts";
import { useThreads } from "../cli/threads.ts";
import { usageError } from "../cli/usage.ts";
import { load } from "../load.ts";
import { notInstalled } from "../places/optional.ts";
import { isModelFolder } from "../places/text/model-folder.ts";
import { type Io, print } from "../terminal/io.ts";

const serverFlags = {
  port: whole("N", "port to listen on (default: a free one)", 1, 65_535),
  host: text("ADDRESS", "address to listen on (default 127.0.0.1, which other machines cannot reach)"),
  key: text("WORD", "API key that clients must send (default: a random one, which is printed)"),
  model: text("NAME", "model name of the API (default reins, or the folder's name)"),
  sample: toggle("sample replies (default: greedy)"),
  seed: whole("N", "seed of sampling (default 0)"),
  threads: whole("N", "threads for compiled code (default 1)", 1),
};
const runFlags = {
  env: text("FILE", "file of your own task, if it was moved or the run was trained in a program"),
  best: agentFlags.best,
  trust: codeFlags.trust,
};
const folderFlags = {
  adapter: named("PEFT adapters on the first folder, served as a model of this name; may be repeated"),
  context: whole(
    "N",
    "maximum tokens of a prompt and its reply (default: the model's, at most 4,096). More takes memory",
    2,
  ),
  rows: whole(
    "N",
    "replies generated at the same time (default: up to 64, within 1 GiB of KV caches). More is faster in total and slower for each",
    1,
    4096,
  ),
  queue: whole("N", "replies that may wait before requests get status 429 (default 256)", 0),
  "max-tokens": whole("N", "maximum tokens of a reply whose request sets none (default 1,024)", 1),
};
const flags = { ...serverFlags, ...runFlags, ...folderFlags };

/** `reins serve` */
export const command: Command = {
  usage: "serve [run | folder…] [flags]",
  about: `Serves a language model through the OpenAI API: chat completions and responses, streaming, tool calls, JSON Schema. It listens on 127.0.0.1 until Ctrl-C, and then finishes the replies in progress. The model is that of a run, given by its directory or by its name in runs/ (default: the newest), or one or several Hugging Face folders. Reward models answer POST /v1/score.`,
  groups: () => ({ Flags: serverFlags, "A run": runFlags, "Model folders": folderFlags }),
  examples: [
    ["reins serve", "the newest run, on a free port"],
    ["reins serve grpo-wordle-game-1 --port 8080 --key secret", "a fixed port and key"],
    ["reins serve ./qwen3 --adapter sql=./sql --adapter notes=./notes", "a model and two adapters"],
  ],
  async run(args, io) {
    const { words, flags: given } = readArguments(args, flags, { command: "serve" });
    useThreads(given.threads);
    const interrupt = listenForInterrupt();
    try {
      if (words.length && isModelFolder(words[0])) return await serveFolders(words, given, { io, interrupt });
      noMore(words, 1, "serve");
      return await serveRun(words[0], given, { io, interrupt });
    } finally {
      interrupt.off();
    }
  },
};

type Given = GivenFlags<typeof flags>;
interface Around {
  readonly io: Io;
  readonly interrupt: Interrupt;
}

const serverOptions = ({ port, host, key, sample, seed }: Given): ServeOptions => ({
  ...{ port, host, key, sample, seed },
});

/** Serves the model of a run. */
async function serveRun(name: string | undefined, given: Given, around: Around): Promise<number> {
  const { best, trust, env, model } = given;
  refuse(given, folderFlags, "a model folder");
  if (name !== undefined && ![name, join(root, name)].some((path) => existsSync(path)))
    usageError(
      `unknown run or model folder ${name}. Run reins runs for a list of runs, or give a Hugging Face folder: ./model.`,
    );
  const path = findRun(name);
  const agent = await load(path, { ...givenCode(path, { trust, env }), best });
  const served = await agent.serve({ ...serverOptions(given), model });
  const { prompt: example = "…" } = (await agent.evaluate(1)).answers?.[0] ?? {};
  const title = `${path}   ${agent.algorithm} on ${agent.spec.id}, after ${agent.steps} tokens`;
  return untilInterrupted(served, { title, models: [served.model], example }, around);
}

/** Serves the models of Hugging Face folders. */
async function serveFolders(folders: readonly string[], given: Given, around: Around): Promise<number> {
  const { model, adapter = [], context, rows, queue, "max-tokens": limit } = given;
  refuse(given, runFlags, "a run");
  const { gateway, isRewardFolder, loadRewardModel } = await import("@reins/language").catch(
    notInstalled("@reins/language", folders[0]),
  );
  const twice = adapter.find(([name], i) => adapter.findIndex(([other]) => other === name) !== i);
  if (twice) usageError(`--adapter ${twice[0]} is given twice. Give each adapter its own name.`);
  const how = { context, rows, queue, limit };
  const all: Api.EngineOptions[] = [];
  const scorers: Api.ServedScorer[] = [];
  for (const [i, folder] of folders.entries()) {
    const first = i === 0 ? { name: model, adapters: Object.fromEntries(adapter) } : {};
    if (isRewardFolder(folder)) {
      if (i === 0 && adapter.length)
        usageError(
          "--adapter is for a language model, and the first folder has a reward model. Leave it out.",
        );
      const name = (i === 0 && model) || gateway.nameOf(folder);
      scorers.push({ model: name, scorer: await loadRewardModel(folder) });
    } else all.push(...(await gateway.engineOptions({ folder, ...how, ...first })));
  }
  const served = await gateway.serveModels(all, serverOptions(given), scorers);
  const [{ rows: places, capacity } = {}] = all;
  const about = all.length ? `${places} replies at a time, context ${capacity}` : "scores of texts";
  const title = `${folders.join(", ")}   ${about}`;
  const models = [...all, ...scorers].map((o) => o.model ?? "");
  return untilInterrupted(served, { title, models, ...(all.length ? { example: "Hello!" } : {}) }, around);
}

/** Refuses flags of the other kind of model. */
function refuse(given: Given, table: object, of: string): void {
  const wrong = Object.keys(table).find((name) => given[name as keyof Given] !== undefined);
  if (wrong) usageError(`--${wrong} is for ${of}. Leave it out.`);
}

/** Milliseconds for replies in progress after Ctrl-C. */
const grace = 30_000;

async function untilInterrupted(
  served: ServerHandle,
  {
    title,
    models,
    example,
  }: { readonly title: string; readonly models: readonly string[]; readonly example?: string },
  { io, interrupt }: Around,
): Promise<number> {
  const { baseURL, key, model } = served;
  // Without a language model, completions are scored.
  const [path, body] =
    example === undefined
      ? ["score", { model, text_1: "2+2=", text_2: ["4", "5"] }]
      : ["chat/completions", { model, messages: [{ role: "user", content: example }] }];
  print(
    io.out,
    title,
    "",
    `base URL  ${baseURL}`,
    `key       ${key}`,
    `${models.length === 1 ? "model " : "models"}    ${models.join(", ")}`,
    "",
    `curl ${baseURL}/${path} -H "Authorization: Bearer ${key}" -H "Content-Type: application/json" -d '${JSON.stringify(body)}'`,
    "",
    "Press Ctrl-C to stop.",
  );
  while (interrupt.code === undefined) await new Promise((done) => setTimeout(done, 100));
  await served.close({ grace });
  return 0;
}
