/** `@reins/core/diagnostics`: why a run does not learn: rules over its history, and their findings. */
export { diagnose, diagnostics, report as reportFindings } from "../diagnostics/diagnose.ts";
export { History } from "../diagnostics/history.ts";
export {
  type Diagnostic,
  type DiagnosticLimits,
  type Evidence,
  type Finding,
  pageOf,
  type Symptom,
} from "../diagnostics/rule.ts";
