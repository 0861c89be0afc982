import { ApiError, get } from "./api.ts";

/** Whether the page is a site of plain files, with no studio behind it: a mark says so, which the studio's own server takes away. */
export const isSite = "alone" in document.documentElement.dataset && !import.meta.env.DEV;

/** Whether there are recipes to be read: a site has them where it was written with a book. */
export const hasBook = !isSite || document.querySelector('meta[name="reins-book"]') !== null;

/** Reads something that a site has as well: from the studio, or from the file of the same name in `data`. */
export async function read<T>(path: string): Promise<T> {
  if (!isSite) return get<T>(path);
  const response = await fetch(`./data/${path}.json`).catch(() => undefined);
  if (!response?.ok) throw new ApiError(response?.status ?? 0, "This site has nothing of that name.");
  return response.json() as Promise<T>;
}
