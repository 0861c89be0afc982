/** A process that tries to take a lock, writes the result to a file, and stays alive. Arguments: path, file. */
import { writeFileSync } from "node:fs";
import { disk } from "./files.ts";
import { takeLock } from "./lock.ts";

const [path, result] = process.argv.slice(-2);
let said = "held";
try {
  takeLock(disk, path);
} catch {
  said = "refused";
}
writeFileSync(result, said);
setInterval(() => {}, 1000);
