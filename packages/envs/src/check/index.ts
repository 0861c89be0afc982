/** The behavioural checker. */
export { type CheckEnvOptions, checkEnv } from "./check-env.ts";
export { type Finding, type Rule, showFinding } from "./finding.ts";
