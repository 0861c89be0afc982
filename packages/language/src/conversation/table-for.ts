import { AgentTable } from "../gateway/agent-table.ts";
import type { TextStageOptions } from "../stage-options.ts";
import { LaneTable, type Served, type Table } from "./table.ts";

/** The table that suits a stage's family: that of an agent which exists already, or conversations that are held here. */
export const tableFor = (options: TextStageOptions, served: Served): Table =>
  options.family.agent ? new AgentTable(options, served) : new LaneTable(options, served);
