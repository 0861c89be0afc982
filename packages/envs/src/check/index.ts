/** The environment checker. */
export { type CheckEnvOptions, checkEnv } from "./check-env.ts";
export { type CheckRule, type EnvFinding, showFinding } from "./finding.ts";
