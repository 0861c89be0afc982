import { ApiError, get } from "./api.ts";

/** Whether the page is a site of plain files, with no studio behind it: a mark in its head says so. */
export const isSite = document.querySelector('meta[name="reins-site"]') !== null;

/** Reads something that a site has as well: from the studio, or from the file of the same name in `data`. */
export async function read<T>(path: string): Promise<T> {
  if (!isSite) return get<T>(path);
  const response = await fetch(`./data/${path}.json`).catch(() => undefined);
  if (!response?.ok) throw new ApiError(response?.status ?? 0, "This site has nothing of that name.");
  return response.json() as Promise<T>;
}
