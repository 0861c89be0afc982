import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import { openExamples } from "./file.ts";
import { parquetExamples } from "./parquet.ts";
import { type ParquetDecoder, parquetDecoder } from "./parquet-decoder.ts";

const folder = mkdtempSync(join(tmpdir(), "reins-parquet-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Columns prompt, completion (the second empty) and id (of 64 bits), in two row groups; written by hyparquet-writer 0.17. */
const table =
  "UEFSMRUGFSQVKFwVBBUAFQQVABUEFQAAAAMDEDwEAAAAMSsxPQQAAAAyKzI9FQYVFhUaXBUEFQAVBBUAFQQVAAAAAwMJIAEAAAAyAAAAABUGFSQVKFwVBBUAFQQVABUEFQAAAAMDEDwBAAAAAAAAAAIAAAAAAAAAFQYVFBUYXBUCFQAVAhUAFQQVAAAAAwEIHAQAAAAzKzM9FQYVDhUSXBUCFQAVAhUAFQQVAAAAAwEFEAEAAAA2FQYVFBUYXBUCFQAVAhUAFQQVAAAAAwEIHAEAAAAAACAAFQQZTEgEcm9vdBUGABUMJQIYBnByb21wdCUAABUMJQIYCmNvbXBsZXRpb24lAAAVBCUCGAJpZAAWBhksGTwmCBwVDBkVABkYBnByb21wdBUCFgQWThZSJgg8NgAoBDIrMj0YBDErMT0AGRwVBhUAFQIAAAAmWhwVDBkVABkYCmNvbXBsZXRpb24VAhYEFkAWRCZaPDYAKAEyGAAAGRwVBhUAFQIAAAAmngEcFQQZFQAZGAJpZBUCFgQWThZSJp4BPDYAKAgCAAAAAAAAABgIAQAAAAAAAAAAGRwVBhUAFQIAAAAW3AEWBDboAQAZPCbwARwVDBkVABkYBnByb21wdBUCFgIWPhZCJvABPDYAKAQzKzM9GAQzKzM9ABkcFQYVABUCAAAAJrICHBUMGRUAGRgKY29tcGxldGlvbhUCFgIWOBY8JrICPDYAKAE2GAE2ABkcFQYVABUCAAAAJu4CHBUEGRUAGRgCaWQVAhYCFj4WQibuAjw2ACgIAQAAAAAAIAAYCAEAAAAAACAAABkcFQYVABUCAAAAFrQBFgI2wAEAKAloeXBhcnF1ZXQZPBwAABwAABwAAAC4AQAAUEFSMQ==";

function written(bytes: Uint8Array, name = "sums.parquet"): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

const isInstalled = (() => {
  try {
    return existsSync(createRequire(import.meta.url).resolve("hyparquet"));
  } catch {
    return false;
  }
})();
const temporary = () => readdirSync(folder).filter((name) => name.startsWith("reins-lines-")).length;

describe.skipIf(!isInstalled)("Parquet files", () => {
  it("are read like JSON Lines, row by row", async () => {
    const path = written(Buffer.from(table, "base64"));
    const source = await openExamples(path);
    expect([source.name, source.count]).toEqual([path, 3]);
    expect(source.read(2)).toEqual({ kind: "completion", prompt: "3+3=", completion: "6" });
    expect(source.read(0)).toEqual({ kind: "completion", prompt: "1+1=", completion: "2" });
    expect(() => source.read(1)).toThrow(`${path}, row 2: completion is empty`);
    expect(source.digest).toBe((await openExamples(path)).digest);
    source.close?.();
  });

  it("leave no temporary file behind", async () => {
    vi.stubEnv("TMPDIR", folder);
    const before = temporary();
    const source = await openExamples(written(Buffer.from(table, "base64")));
    expect(temporary()).toBe(before + 1);
    source.close?.();
    await expect(openExamples(written(new Uint8Array(100), "zeros.parquet"))).rejects.toThrow(
      "it is not a Parquet file that can be read",
    );
    await expect(openExamples(join(folder, "missing.parquet"))).rejects.toThrow("the file does not exist");
    expect(temporary()).toBe(before);
    vi.unstubAllEnvs();
  });

  it("are refused where rows are missing", async () => {
    const path = written(Buffer.from(table, "base64"), "short.parquet");
    const decode: ParquetDecoder = async ({ rows }) => (rows ? { lines: [] } : { groups: [2 ** 50] });
    await expect(parquetExamples(path, decode)).rejects.toThrow(
      "short.parquet: it is damaged: 10000 rows were expected from row 1 on, but 0 decoded.",
    );
    await expect(parquetExamples(path, async () => ({ groups: [] }))).rejects.toThrow("the file has no rows");
  });

  it("are refused where damage keeps the decoder from ending", async () => {
    const bytes = Buffer.from(table, "base64");
    // The header of a run of repeated levels becomes a negative count.
    bytes[169] = 255;
    const before = temporary();
    await expect(parquetExamples(written(bytes, "damaged.parquet"), parquetDecoder(2000))).rejects.toThrow(
      "damaged.parquet: decoding did not end within 2 s, so the file is probably damaged. Write it again.",
    );
    expect(temporary()).toBe(before);
  });
});

it.skipIf(isInstalled)("names the package that Parquet files need", async () => {
  await expect(openExamples("sums.parquet")).rejects.toThrow("npm install hyparquet");
});
