import { ApiError, get } from "./api.ts";

/** Whether the page is a static site. `index.html` carries a mark that the studio's server removes. */
export const isSite = "alone" in document.documentElement.dataset && !import.meta.env.DEV;

/** Whether recipes are available: a static site has them only if it was exported with a recipe book. */
export const hasBook = !isSite || document.querySelector('meta[name="reins-book"]') !== null;

/** Reads from the studio's API or, on a static site, from the file of the same name in `data`. */
export async function read<T>(path: string): Promise<T> {
  if (!isSite) return get<T>(path);
  const response = await fetch(`./data/${path}.json`).catch(() => undefined);
  if (!response?.ok) throw new ApiError(response?.status ?? 0, `This site has no data for ${path}.`);
  return response.json() as Promise<T>;
}
