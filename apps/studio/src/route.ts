import { useEffect, useState } from "preact/hooks";

/** The current route: the part of the URL after #, so that the page works at any address and from disk. */
export interface Route {
  /** The parts of the path. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
}

function read(): Route {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  return { path: path.split("/").filter(Boolean).map(decode), query: new URLSearchParams(query) };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The URL of a route. */
export function href(
  path: readonly (string | number)[],
  query: Readonly<Record<string, string>> = {},
): string {
  const text = new URLSearchParams(query).toString();
  return `#/${path.map((p) => encodeURIComponent(p)).join("/")}${text ? `?${text}` : ""}`;
}

/** Navigates to a URL; `quietly` adds no entry to the browser's history. */
export function go(to: string, quietly = false): void {
  if (quietly) {
    history.replaceState(null, "", to);
    window.dispatchEvent(new HashChangeEvent("hashchange"));
  } else location.hash = to;
}

/** The current route, kept up to date. */
export function useRoute(): Route {
  const [route, setRoute] = useState(read);
  useEffect(() => {
    const changed = () => setRoute(read());
    addEventListener("hashchange", changed);
    return () => removeEventListener("hashchange", changed);
  }, []);
  return route;
}

/** Joins names with commas for a URL, and splits them again. Commas in names are escaped. */
export const joined = (names: readonly string[]): string => names.map(encodeURIComponent).join(",");
export const split = (text: string | null): string[] => (text ?? "").split(",").filter(Boolean).map(decode);
