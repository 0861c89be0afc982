import { createInterface } from "node:readline";
import { sample, type Timed, warmUp } from "./sample.ts";

/** Arguments of every side; `peers/torch.py` accepts the same. */
export interface Request {
  readonly name: string;
  readonly threads: number;
  /** Seconds of a round. */
  readonly seconds: number;
  readonly small: boolean;
  readonly backend: "native" | "wasm" | "reference";
  readonly profile: boolean;
}

/** The first line of a side: its version, and values for the comparison of results. */
export interface Ready {
  readonly version: string;
  readonly values: readonly number[];
  /** The fastest variant, which the side chose. */
  readonly how?: string;
  readonly profile?: string;
}

export function readRequest(args: readonly string[]): Request {
  const value = (flag: string) => args[args.indexOf(flag) + 1];
  return {
    name: value("--only"),
    threads: Number(value("--threads")),
    seconds: Number(value("--seconds")),
    small: args.includes("--small"),
    backend: args.includes("--backend") ? (value("--backend") as Request["backend"]) : "wasm",
    profile: args.includes("--profile"),
  };
}

const say = (message: object) => process.stdout.write(`${JSON.stringify(message)}\n`);

/** Serves one benchmark: prints its version, then one line of samples for every input line, so that sides alternate. */
export async function takeTurns(
  prepare: (request: Request) => Promise<{ ready: Ready; round(): Promise<readonly unknown[]> }>,
): Promise<void> {
  try {
    const { ready, round } = await prepare(readRequest(process.argv.slice(2)));
    say(ready);
    for await (const _ of createInterface({ input: process.stdin })) say({ samples: await round() });
    process.exit(0);
  } catch (error) {
    say({ error: error instanceof Error ? error.message.split("\n")[0] : String(error) });
    process.exit(1);
  }
}

/** Serves one function: a sample is the seconds of a call. */
export function serve(prepare: (request: Request) => Promise<{ timed: Timed; ready: Ready }>): Promise<void> {
  return takeTurns(async (request) => {
    const { timed, ready } = await prepare(request);
    const calls = await warmUp(timed, request.seconds);
    return { ready, round: () => sample(timed, calls, request.seconds) };
  });
}
