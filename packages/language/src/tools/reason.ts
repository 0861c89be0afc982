/** The message of anything thrown. */
export function reasonOf(error: unknown): string {
  if (error instanceof Error) return error.message;
  try {
    return String(error);
  } catch {
    return "it threw something that has no words";
  }
}
