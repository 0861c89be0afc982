/**
 * A process that runs one command after another, for faults after which nothing has to die. It reads requests, one JSON object per
 * line, and answers each with how the command ended. It exits when its input ends.
 */
import { createInterface } from "node:readline";
import { type Arm, armed, type Fault } from "./fault.ts";
import { main as own } from "./storage-forms-main.ts";

/** A request. */
export interface Request {
  readonly args: readonly string[];
  /** Whether it is one of the forms of `storage-forms.ts`. */
  readonly own: boolean;
  readonly cwd: string;
  readonly fault?: Fault;
}

type Output = { write(text: string): unknown };
type Main = (args: readonly string[], io: { out: Output; err: Output }) => Promise<number>;
// The command line is not part of the package's interface, but it is the subject of these tests.
const { main: reins } = (await import(new URL("../../reins/dist/cli/main.js", import.meta.url).href)) as {
  main: Main;
};

const arm = (globalThis as { [armed]?: Arm })[armed]!;
for await (const line of createInterface({ input: process.stdin })) {
  const { args, own: ours, cwd, fault } = JSON.parse(line) as Request;
  let [out, err] = ["", ""];
  const io = { out: { write: (t: string) => (out += t) }, err: { write: (t: string) => (err += t) } };
  console.warn = (...words) => void (err += `${words.join(" ")}\n`);
  process.chdir(cwd);
  arm(fault);
  const code = await (ours ? own : reins)(args, io).catch((error: Error) => {
    err += `escaped: ${error.stack}`;
    return 70;
  });
  arm(undefined);
  process.stdout.write(`${JSON.stringify({ code, out, err })}\n`);
}
