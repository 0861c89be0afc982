import { checkKeys } from "@reins/core/errors";
import { contentFrom, type Exportable } from "./content.ts";
import { type ModuleText, writeModule } from "./module/write-module.ts";
import { withRows } from "./rows.ts";
import { type ExportOptions, programOf } from "./trace.ts";

/**
 * Exports an agent as an ES module without imports, with its weights inside, for a web page or a service. Returns its code and its types.
 *
 *     const { code, types } = await exportModule(agent);
 *     await writeFile("act.js", code);
 *
 * The module exports `act(observation)`, which returns the greedy action; with `mask: true`, `act(observation, { mask })` or
 * `act(observation, mask)`. For a recurrent agent it exports `act(observation, state)`, which returns `{ action, state }`, and `start()`. Actions
 * equal those of `agent.act` to 1e-5, since sums and functions are computed by plain JavaScript.
 */
export async function exportModule(agent: Exportable, options: ExportOptions = {}): Promise<ModuleText> {
  checkKeys("exportModule", options, ["mask"]);
  const { content, source } = await contentFrom(agent);
  return writeModule(content, withRows(programOf(content, source, options), 1, source), source);
}
