/** An error about tensors. The message names the operation, the shapes, and the user's line if known. */
export class TensorError extends Error {
  override name = "TensorError";
}

/** Where in user code a node was made: an Error whose stack is formatted only when it is read. */
export type Site = { readonly stack?: string };

/** Captures the calling stack cheaply. */
export function captureSite(): Site {
  const site: { stack?: string } = {};
  const capture = (Error as { captureStackTrace?: (o: object) => void }).captureStackTrace;
  if (capture) {
    const before = Error.stackTraceLimit;
    Error.stackTraceLimit = 24;
    capture(site);
    Error.stackTraceLimit = before;
    return site;
  }
  return new Error();
}

/** The first stack line outside of the tensor and nn packages: the user's line. Empty if there is none. */
export function userLine(site: Site | undefined): string {
  // Frames of the engine itself (Array.forEach) have no location.
  const lines = (site?.stack ?? "")
    .split("\n")
    .filter((l) => /^\s+at |@/.test(l) && /:\d+:\d+\)?\s*$/.test(l));
  const ours =
    /packages[/\\](tensor|nn)[/\\](src|dist)[/\\](?!.*\.test\.)|@reins[/\\](tensor|nn)[/\\]|node:internal/;
  const line = lines.find((l) => !ours.test(l));
  const place = line?.match(/\(?((?:file:\/\/)?[^()\s]+:\d+:\d+)\)?\s*$/)?.[1];
  return place ? place.replace("file://", "") : "";
}

/** Throws a {@link TensorError} that ends with the user's line. */
export function fail(operation: string, message: string, site: Site = captureSite()): never {
  const line = userLine(site);
  throw new TensorError(`${operation}: ${message}${line ? ` (at ${line})` : ""}`);
}
