import { lstatSync } from "node:fs";
import { connect } from "node:net";
import { fail } from "@reins/core";
import type { RemoteAnswer, RemoteCommand, RunState } from "@reins/core/directory";
import { channelAt, channelName } from "./channel.ts";

/** Maximum length of an answer, in characters; a run never sends more. */
const longest = 1 << 20;

/** Options of a request to a run. */
export interface AskOptions {
  /** Timeout in milliseconds. Unlimited by default: a run answers between two rounds, and rounds may be long. */
  readonly patience?: number;
}

/** Sends a command to a run and awaits its answer. */
export async function askRun(
  folder: string,
  command: RemoteCommand,
  { patience = 0 }: AskOptions = {},
): Promise<Extract<RemoteAnswer, { state: RunState }>> {
  const at = channelAt(folder);
  if (!isOwn(at)) fail(folder, `${channelName} is not a socket that a run created. Remove it.`);
  const text = await answerTo(`${JSON.stringify(command)}\n`, at, patience).catch((why) => fail(folder, why));
  const answer = admitted(text);
  if (!answer) fail(folder, `another program answers at ${channelName}, not a run. Remove the file.`);
  if ("error" in answer) fail(folder, answer.error);
  return answer;
}

/** Whether a run can have created this socket. A missing socket fails when connecting. */
function isOwn(at: string): boolean {
  if (process.platform === "win32") return true;
  return lstatSync(at, { throwIfNoEntry: false })?.isSocket() ?? true;
}

/** Sends a line and resolves to the answer. Rejects with a message. */
function answerTo(line: string, at: string, patience: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(at);
    let text = "";
    // Only the first result counts.
    const end = (say: () => void) => {
      clearTimeout(late);
      say();
      socket.destroy();
    };
    const refuse = (why: string) => end(() => reject(why));
    const late = patience > 0 ? setTimeout(() => refuse(slow(patience)), patience) : undefined;
    socket.setEncoding("utf8");
    socket.on("connect", () => socket.write(line));
    socket.on("data", (more: string) => {
      text += more;
      if (text.includes("\n")) end(() => resolve(text.slice(0, text.indexOf("\n"))));
      else if (text.length > longest)
        refuse(
          `another program answers at ${channelName}, not a run: its answer exceeds ${longest} characters. Remove the file.`,
        );
    });
    socket.on("error", ({ code }: NodeJS.ErrnoException) => refuse(code === "EACCES" ? others : notRunning));
    socket.on("close", () => refuse("the run ended before it answered."));
  });
}

const others = "the run belongs to another user.";
const notRunning = "the run is not running. `reins runs` lists runs with their states.";
const slow = (patience: number) =>
  `no answer after ${patience / 1000} s. A run handles commands between rounds; this round may be long. Try again later.`;

/** Parses an answer; undefined if it is not valid. */
function admitted(line: string): RemoteAnswer | undefined {
  let answer: Record<string, unknown>;
  try {
    answer = Object(JSON.parse(line));
  } catch {
    return undefined;
  }
  const { error, done, warning, state } = answer;
  if (typeof error === "string") return { error };
  if (typeof done !== "string" || !isState(state)) return undefined;
  return { done, state, ...(typeof warning === "string" ? { warning } : {}) };
}

function isState(given: unknown): given is RunState {
  const { steps, budget, settings, metrics } = Object(given) as Partial<RunState>;
  const isRecord = (x: unknown) => typeof x === "object" && x !== null;
  return [steps, budget].every((x) => typeof x === "number") && [settings, metrics].every(isRecord);
}
