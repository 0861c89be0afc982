/** `@reins/core/metrics`: metrics of a run: statistics, the glossary of names, how often they are written. */
export { liveMetrics, metricsPart } from "../algorithm.ts";
export { LogSchedule } from "../directory/schedule.ts";
export { glossary, glossaryTable, type MetricEntry, metricEntry } from "../glossary.ts";
export { type Statistic, Statistics } from "../statistics.ts";
