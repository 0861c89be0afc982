/** Tools that models may call. */
export { calculator } from "./calculator.ts";
export { javascriptTool, pythonTool } from "./code.ts";
export { expert } from "./expert.ts";
export { delayed, type Latency, lognormal } from "./latency.ts";
export { keyMemory, noteMemory } from "./memory.ts";
export { type Passage as Document, type SearchOptions, searchTool } from "./search.ts";
export { sqlTool } from "./sql-tool.ts";
