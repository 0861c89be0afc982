#!/usr/bin/env node
import { writeFileSync } from "node:fs";
import { availableBackends, currentBackend, setBackend } from "@reins/tensor";
import { fixtures } from "./fixtures.ts";
import { language } from "./language.ts";
import { loop } from "./loop.ts";
import { products } from "./products.ts";
import { programs } from "./programs.ts";
import type { Options, Row } from "./section.ts";
import { speed } from "./speed.ts";
import { runs, training } from "./training.ts";

const sections = [fixtures, products, runs, training, speed, loop, language, programs];
const help = `npm run gpu [-- options]: compares the CUDA back end with the CPU bit for bit, and measures it.
  --only a,b      sections: ${sections.map((s) => s.name).join(", ")}
  --programs n    random programs (default 300)
  --peer p        native or wasm (default wasm, which needs no C compiler; both have the same bits)
  --small         small sizes, for the emulated GPU
  --json file     also writes the results there`;

// WebAssembly has the bits of native code only with fused multiply-add, which Node 20 offers behind a flag.
process.env.REINS_RELAXED_SIMD ??= "1";
process.env.REINS_QUIET ??= "1";

async function main(args: readonly string[]): Promise<number> {
  const value = (name: string) => args[args.indexOf(name) + 1];
  const given = (name: string) => args.includes(name);
  if (given("--help")) {
    console.log(help);
    return 0;
  }
  const available = availableBackends();
  const options: Options = {
    peer: given("--peer") ? (value("--peer") as Options["peer"]) : "wasm",
    fastest: available.includes("native") ? "native" : "wasm",
    programs: given("--programs") ? Number(value("--programs")) : 300,
    large: !given("--small"),
  };
  if (!available.includes("cuda")) {
    // The reason is in the error of the first use.
    setBackend("cuda");
    currentBackend();
  }
  const only = given("--only") ? value("--only").split(",") : sections.map((s) => s.name);
  const all: (Row & { section: string; seconds: number })[] = [];
  const begin = performance.now();
  const show = (section: string, row: Row, start: number) => {
    const seconds = (performance.now() - start) / 1e3;
    all.push({ ...row, section, seconds });
    console.log(`${row.failed ? "✗" : "✓"} ${row.what.padEnd(36)} ${row.result}  [${seconds.toFixed(1)} s]`);
  };
  for (const section of sections) {
    if (!only.includes(section.name)) continue;
    let start = performance.now();
    try {
      for await (const row of section.rows(options)) {
        show(section.name, row, start);
        start = performance.now();
      }
    } catch (error) {
      const text = (error as Error).stack ?? String(error);
      show(
        section.name,
        { what: section.name, result: `stopped: ${text.slice(0, 3000)}`, failed: true },
        start,
      );
    }
    if (given("--json")) writeFileSync(value("--json"), JSON.stringify({ options, rows: all }, undefined, 1));
  }
  const failed = all.filter((r) => r.failed).length;
  const seconds = ((performance.now() - begin) / 1e3).toFixed(0);
  console.log(
    `${all.length - failed} of ${all.length} rows as expected, against ${options.peer}, in ${seconds} s.`,
  );
  return failed > 0 ? 1 : 0;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 2;
}
