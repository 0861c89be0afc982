import { useEffect, useState } from "preact/hooks";

/** Where one is: what follows the # in the address, so that the page works from any place, also from a disk. */
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

/** An address in the page. */
export function href(
  path: readonly (string | number)[],
  query: Readonly<Record<string, string>> = {},
): string {
  const text = new URLSearchParams(query).toString();
  return `#/${path.map((p) => encodeURIComponent(p)).join("/")}${text ? `?${text}` : ""}`;
}

/** Goes somewhere else; `quietly` without a step for the button back. */
export function go(to: string, quietly = false): void {
  if (quietly) {
    history.replaceState(null, "", to);
    window.dispatchEvent(new HashChangeEvent("hashchange"));
  } else location.hash = to;
}

/** Where one is, from now on. */
export function useRoute(): Route {
  const [route, setRoute] = useState(read);
  useEffect(() => {
    const changed = () => setRoute(read());
    addEventListener("hashchange", changed);
    return () => removeEventListener("hashchange", changed);
  }, []);
  return route;
}

/** Names as one word of an address, and back: what is in them cannot be taken for what is between them. */
export const joined = (names: readonly string[]): string => names.map(encodeURIComponent).join(",");
export const split = (text: string | null): string[] => (text ?? "").split(",").filter(Boolean).map(decode);
