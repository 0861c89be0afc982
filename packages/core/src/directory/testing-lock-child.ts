/** A process that takes a lock a number of times, and checks that it is alone. Arguments: path, count. */
import { closeSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { disk } from "./files.ts";
import { takeLock } from "./lock.ts";

const [path, times] = process.argv.slice(-2);
const inside = join(path, "inside");
/** The lock that a dead process leaves; its id is not in use. */
const dead = (n: number) =>
  `${JSON.stringify({ pid: 2 ** 22 + 1 + n, host: process.env.HOST_NAME, started: "", ticks: "1" })}\n`;

const pause = new Int32Array(new SharedArrayBuffer(4));
let [held, collisions] = [0, 0];
console.log("ready");
await new Promise((go) => process.stdin.once("data", go));
while (held < Number(times)) {
  let release: () => void;
  try {
    release = takeLock(disk, path);
  } catch (error) {
    if ((error as Error).name !== "ReinsError") throw error;
    continue;
  }
  held++;
  try {
    closeSync(openSync(inside, "wx"));
    Atomics.wait(pause, 0, 0, 1);
    rmSync(inside);
  } catch {
    collisions++;
  }
  // Every other time it dies instead of releasing the lock: many then find the same dead one's.
  if (held % 2) release();
  else {
    writeFileSync(join(path, `dead-${process.pid}`), dead(process.pid));
    renameSync(join(path, `dead-${process.pid}`), join(path, "lock"));
  }
}
console.log(JSON.stringify({ held, collisions }));
process.exit();
