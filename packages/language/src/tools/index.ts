/** Tools that models may call. */
export { type AiTool, type AiToolsOptions, aiTools } from "./ai-sdk.ts";
export { calculator } from "./calculator.ts";
export { javascriptTool, pythonTool } from "./code.ts";
export { expert } from "./expert.ts";
export { delayed, type Latency, lognormal } from "./latency.ts";
export { type McpClient, type McpOptions, type McpTool, mcpTools } from "./mcp.ts";
export { keyMemory, noteMemory } from "./memory.ts";
export { type Article, type SearchOptions, searchTool } from "./search.ts";
export { sqlTool } from "./sql-tool.ts";
