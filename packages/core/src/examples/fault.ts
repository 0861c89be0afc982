import { DamagedDataError, ReinsError } from "../errors.ts";

/** The error of an example that cannot be used, which may be left out; an error of its whole source is thrown again. */
export function exampleFault(error: unknown): ReinsError {
  if (!(error instanceof ReinsError) || error instanceof DamagedDataError) throw error;
  return error;
}
