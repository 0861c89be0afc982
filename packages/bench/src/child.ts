import { createInterface } from "node:readline";
import { sample, type Timed, warmUp } from "./sample.ts";

/** What every side is started with; `peers/torch.py` takes the same arguments. */
export interface Request {
  readonly name: string;
  readonly threads: number;
  /** Seconds of a round. */
  readonly seconds: number;
  readonly small: boolean;
  readonly backend: "native" | "wasm" | "reference";
  readonly profile: boolean;
}

/** The first line a side prints: who it is, and values by which it can be compared. */
export interface Ready {
  readonly version: string;
  readonly values: readonly number[];
  /** Which of several ways the side chose as its fastest. */
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

/** Serves one benchmark: prints who it is, then one line of samples for every line it reads, so that sides take turns. */
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
