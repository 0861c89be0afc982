import { ReinsError, type Run } from "@reins/core";

/** The error of a run, with the likely cause if a loss was NaN. The rules are loaded only then, so that a page starts without them. */
export async function withCause(run: Run, error: unknown): Promise<unknown> {
  if (!run.broken || !(error instanceof Error)) return error;
  const { diagnose, reportFindings } = await import("@reins/core/diagnostics");
  const cause = reportFindings(diagnose(run).slice(0, 1)).replace(/\n\s*/g, " ");
  return cause ? new ReinsError(`${error.message} ${cause}`, { cause: error }) : error;
}
