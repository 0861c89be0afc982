import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fail } from "@reins/core";

/** Says that this process works on something, and refuses where another one does. The result gives it up again. */
export function lock(path: string, what: string): () => void {
  mkdirSync(dirname(path), { recursive: true });
  for (;;) {
    try {
      writeFileSync(path, `${process.pid}`, { flag: "wx" });
      const free = () => rmSync(path, { force: true });
      process.once("exit", free);
      return () => {
        process.off("exit", free);
        free();
      };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      const holder = Number(readFileSync(path, "utf8"));
      if (isAlive(holder))
        fail(what, `process ${holder} is measuring it. Wait for it to end, or stop it: what it did is kept.`);
      // Whoever held it is gone.
      rmSync(path, { force: true });
    }
  }
}

function isAlive(pid: number): boolean {
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
