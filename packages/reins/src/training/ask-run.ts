import { lstatSync } from "node:fs";
import { connect } from "node:net";
import { fail } from "@reins/core";
import type { RemoteAnswer, RemoteCommand, RunState } from "@reins/core/directory";
import { channelAt, channelName } from "./channel.ts";

/** Most characters of an answer: whoever sends more is no run. */
const longest = 1 << 20;

/** How a run is asked. */
export interface AskOptions {
  /** Milliseconds that an answer is waited for. Without a limit by default: a run answers between two rounds, and rounds may be long. */
  readonly patience?: number;
}

/** Tells a run something and waits for its answer. */
export async function askRun(
  folder: string,
  command: RemoteCommand,
  { patience = 0 }: AskOptions = {},
): Promise<Extract<RemoteAnswer, { state: RunState }>> {
  const at = channelAt(folder);
  if (!isOwn(at)) fail(folder, `its ${channelName} is a link, or no socket: no run made it. Remove it.`);
  const text = await answerTo(`${JSON.stringify(command)}\n`, at, patience).catch((why) => fail(folder, why));
  const answer = admitted(text);
  if (!answer) fail(folder, `what listens at its ${channelName} is no run: its answer is none of a run.`);
  if ("error" in answer) fail(folder, answer.error);
  return answer;
}

/** Whether a run can have made a socket. One that is not there is found missing when it is connected to. */
function isOwn(at: string): boolean {
  if (process.platform === "win32") return true;
  return lstatSync(at, { throwIfNoEntry: false })?.isSocket() ?? true;
}

/** Sends a line and waits for the one that comes back. Rejects with words. */
function answerTo(line: string, at: string, patience: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(at);
    let text = "";
    // The first that is said counts; what comes after it changes nothing.
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
      else if (text.length > longest) refuse(`what listens at its ${channelName} is no run: it never ends.`);
    });
    socket.on("error", ({ code }: NodeJS.ErrnoException) => refuse(code === "EACCES" ? others : nobody));
    socket.on("close", () => refuse("the run ended before it answered."));
  });
}

const others = "its run belongs to another user.";
const nobody = "no run goes on here that can be told something. reins runs lists them with their states.";
const slow = (patience: number) =>
  `it has not answered for ${patience / 1000} s. A run does what it is told between two rounds: this one may be long.`;

/** An answer from its line; undefined if it is none. */
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
