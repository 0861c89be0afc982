import { readOnce } from "./lora.ts";

await readOnce(process.argv[2]);
