/** A process that trains in a directory until it is killed. Arguments: kind, path. */
import { train } from "./testing-train.ts";

const [kind, path] = process.argv.slice(-2);
await train(kind, path, (steps) => console.log(`at ${steps}`));
console.log("done");
