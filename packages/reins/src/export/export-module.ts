import { checkKeys } from "@reins/core";
import { contentFrom, type Exportable } from "./content.ts";
import { type ModuleText, writeModule } from "./module/write-module.ts";
import { withRows } from "./rows.ts";
import { type ExportOptions, programOf } from "./trace.ts";

/**
 * An agent as one ES module without imports, its weights inside, for a page or a service: its text and that of its types.
 *
 *     const { code, types } = await exportModule(agent);
 *     await writeFile("act.js", code);
 *
 * The module has `act(observation)`, which gives the best action; with `mask: true`, `act(observation, { mask })` or
 * `act(observation, mask)`. Of an agent with memory it has
 * `act(observation, state)`, which gives `{ action, state }`, and `start()`. Actions are those of `agent.act` to 1e-5: sums and functions are
 * JavaScript's own, in plain loops.
 */
export async function exportModule(agent: Exportable, options: ExportOptions = {}): Promise<ModuleText> {
  checkKeys("exportModule", options, ["mask"]);
  const { content, source } = await contentFrom(agent);
  return writeModule(content, withRows(programOf(content, source, options), 1, source), source);
}
