import { noMore, readArguments } from "../cli/arguments.ts";
import { codeFlags, givenCode } from "../cli/code-flags.ts";
import type { Command } from "../cli/command.ts";
import { findRun } from "../cli/find-run.ts";
import { text, toggle, whole } from "../cli/flags.ts";
import { listenForInterrupt } from "../cli/interrupt.ts";
import { agentFlags } from "../cli/open-agent.ts";
import { useThreads } from "../cli/threads.ts";
import { load } from "../load.ts";
import { print } from "../terminal/io.ts";

const flags = {
  port: whole("N", "port to listen on (default: a free one)", 1, 65_535),
  key: text("WORD", "API key that clients must send (default: a random one, which is printed)"),
  model: text("NAME", "model name of the API (default reins)"),
  sample: toggle("sample replies (default: greedy)"),
  seed: whole("N", "seed of sampling (default 0)"),
  env: text("FILE", "file of your own task, if it was moved or the run was trained in a program"),
  best: agentFlags.best,
  trust: codeFlags.trust,
  threads: whole("N", "threads for compiled code (default 1)", 1),
};

/** `reins serve` */
export const command: Command = {
  usage: "serve [run] [flags]",
  about: `Serves the model of a language run through the OpenAI API: chat completions and responses, streaming, tool calls, JSON Schema. It listens on 127.0.0.1 only, until Ctrl-C. The run is given by its directory or by its name in runs/ (default: the newest).`,
  groups: () => ({ Flags: flags }),
  examples: [
    ["reins serve", "the newest run, on a free port"],
    ["reins serve grpo-wordle-game-1 --port 8080 --key secret", "a fixed port and key"],
  ],
  async run(args, io) {
    const { words, flags: given } = readArguments(args, flags, { command: "serve" });
    noMore(words, 1, "serve");
    const { threads, best, trust, env, ...how } = given;
    useThreads(threads);
    const path = findRun(words[0]);
    const agent = await load(path, { ...givenCode(path, { trust, env }), best });
    const interrupt = listenForInterrupt();
    const served = await agent.serve(how);
    const { prompt: example = "…" } = (await agent.evaluate(1)).answers?.[0] ?? {};
    print(
      io.out,
      `${path}   ${agent.algorithm} on ${agent.spec.id}, after ${agent.steps} tokens`,
      "",
      `base URL  ${served.baseURL}`,
      `key       ${served.key}`,
      `model     ${served.model}`,
      "",
      `curl ${served.baseURL}/chat/completions -H "Authorization: Bearer ${served.key}" -H "Content-Type: application/json" -d '{"model":"${served.model}","messages":[{"role":"user","content":${JSON.stringify(example)}}]}'`,
      "",
      "Press Ctrl-C to stop.",
    );
    while (interrupt.code === undefined) await new Promise((done) => setTimeout(done, 100));
    interrupt.off();
    await served.close();
    return 0;
  },
};
