import { defaultRng, type Generator, stream } from "@reins/core/random";
import type { Call, Message } from "../tokenizers/message.ts";
import { argumentCheck } from "./arguments.ts";
import { reasonOf } from "./reason.ts";
import { TimedOut, withTimeout } from "./timeout.ts";
import type { Tool } from "./tool.ts";

/** The status of a call. */
export type CallStatus = "ok" | "unknown" | "malformed" | "failed" | "late";

/** A call with its status; `message` is the result that the model sees. */
export interface CallResult {
  readonly call: Call;
  readonly status: CallStatus;
  readonly message: Message;
  readonly price: number;
}

/** Inputs of tool execution. */
export interface CallContext {
  readonly tools: readonly Tool<never, never>[];
  readonly state: unknown;
  readonly store: Map<string, unknown>;
  /** Each call derives its own random numbers from it, whatever runs at the same time. */
  readonly seed: number;
  /** Aborts when the conversation ends. */
  readonly signal?: AbortSignal;
}

/** Runs calls concurrently. Errors are results: the model sees them. Results keep the order of the calls. */
export function runCalls(calls: readonly Call[], context: CallContext): Promise<CallResult[]> {
  return Promise.all(
    calls.map((call, i) => runCall(call, defaultRng(stream(context.seed, "call", i)), context)),
  );
}

async function runCall(call: Call, random: Generator, context: CallContext): Promise<CallResult> {
  const tool = context.tools.find((t) => t.name === call.name);
  const answer = (status: CallStatus, content: string): CallResult => ({
    call,
    status,
    message: { role: "tool", content, call: call.id, name: call.name },
    price: tool?.price ?? 0,
  });
  if (!tool) {
    const names = context.tools.map((t) => t.name).join(", ");
    return answer("unknown", `error: there is no tool ${call.name.slice(0, 100)}. There are: ${names}.`);
  }
  const wrong = (await argumentCheck(tool.parameters))(call.arguments);
  if (wrong !== undefined) return answer("malformed", `error: ${wrong}`);
  const { timeout = 10_000, characters = 4000 } = tool;
  const over = new AbortController();
  const signal = context.signal ? AbortSignal.any([over.signal, context.signal]) : over.signal;
  try {
    signal.throwIfAborted();
    const { state, store } = context;
    const work = Promise.resolve().then(() =>
      tool.run(call.arguments as never, { state: state as never, store, random, signal }),
    );
    const value = await withTimeout(work, timeout, signal);
    return answer("ok", cut(written(value), characters));
  } catch (error) {
    if (error instanceof TimedOut) {
      over.abort(error);
      return answer("late", `error: ${call.name} did not answer within ${timeout} ms.`);
    }
    return answer("failed", cut(`error: ${reasonOf(error)}`, characters));
  }
}

/** The result of a tool as text. */
function written(value: unknown): string {
  if (typeof value === "string") return value;
  return value === undefined ? "" : (JSON.stringify(value) ?? String(value));
}

function cut(text: string, most: number): string {
  return text.length <= most
    ? text
    : `${text.slice(0, most)} ... (${text.length - most} characters were cut off)`;
}
