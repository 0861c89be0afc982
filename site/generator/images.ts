import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./repository.ts";

/** Image formats of pages. */
export const imageTypes = [".png", ".svg", ".gif"];

/** Address of an image of the repository. */
export const imageAddress = (file: string): string => `/images/${file}`;

/** Attributes of an image: its size, so that text does not move when it loads, and when it loads. */
export function imageAttributes(file: string, shownWidth?: number): Readonly<Record<string, string>> {
  const size = sizeOf(file);
  if (!size) return {};
  const width = shownWidth ?? size.width;
  return {
    width: `${width}`,
    height: `${Math.round((width * size.height) / size.width)}`,
    decoding: "async",
  };
}

/** Width and height of an image in pixels; undefined where the file does not state them. */
export function sizeOf(file: string): { readonly width: number; readonly height: number } | undefined {
  const bytes = readFileSync(join(root, file));
  if (file.endsWith(".png")) return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  if (file.endsWith(".gif")) return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
  const [, width, height] = /<svg[^>]* width="([\d.]+)" height="([\d.]+)"/.exec(bytes.toString("utf8")) ?? [];
  return width ? { width: Number(width), height: Number(height) } : undefined;
}
