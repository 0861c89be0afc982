/** An error about networks, optimisers or weight files. */
export class NnError extends Error {
  override name = "NnError";
}

/** Throws an {@link NnError} that names its origin. */
export function fail(where: string, message: string): never {
  throw new NnError(`${where}: ${message}`);
}

/** `[2, 3]`, for messages. */
export const show = (shape: readonly number[]): string => `[${shape.join(", ")}]`;
