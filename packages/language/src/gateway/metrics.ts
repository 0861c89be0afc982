import type { RequestCounters } from "./counters.ts";
import type { Engine } from "./engine.ts";

const series: readonly (readonly [string, "counter" | "gauge", string, (engine: Engine) => number])[] = [
  ["reins_prompt_tokens_total", "counter", "Tokens of prompts.", (e) => e.counters.prompt],
  [
    "reins_cached_tokens_total",
    "counter",
    "Prompt tokens found in the prefix cache.",
    (e) => e.counters.cached,
  ],
  ["reins_completion_tokens_total", "counter", "Generated tokens.", (e) => e.counters.completion],
  ["reins_refused_total", "counter", "Requests refused with status 429.", (e) => e.counters.refused],
  ["reins_rows", "gauge", "Replies that can be generated at the same time.", (e) => e.rows],
  ["reins_active_replies", "gauge", "Replies being generated.", (e) => e.counters.active],
  ["reins_queued_replies", "gauge", "Replies waiting for a row.", (e) => e.counters.queued],
];

const histograms = [
  ["reins_time_to_first_token_seconds", "Seconds from a request to its first token.", "first"],
  ["reins_request_seconds", "Seconds from a request to the end of its replies.", "whole"],
] as const;

/** All counters in the Prometheus text format. */
export function metricsText(engines: readonly Engine[], requests: RequestCounters): string {
  const head = (name: string, type: string, help: string) => [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
  ];
  const labelsOf = ({ model }: Engine) =>
    `model="${model.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n")}"`;
  const lines = [
    ...head("reins_requests_total", "counter", "Requests by path and status."),
    ...requests.lines(),
    ...series.flatMap(([name, type, help, value]) => [
      ...head(name, type, help),
      ...engines.map((engine) => `${name}{${labelsOf(engine)}} ${value(engine)}`),
    ]),
    ...histograms.flatMap(([name, help, which]) => [
      ...head(name, "histogram", help),
      ...engines.flatMap((engine) => engine.counters[which].lines(name, labelsOf(engine))),
    ]),
  ];
  return `${lines.join("\n")}\n`;
}
