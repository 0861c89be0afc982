import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { serveSite } from "./server.ts";

/** One page of each kind. */
const pages = [
  "/",
  "/core.html",
  "/algorithms/ppo.html",
  "/playground.html",
  "/recipe-book/",
  "/benchmarks.html",
  "/glossary.html",
  "/api/reins-core/",
];
const runs = Number(process.env.RUNS ?? 3);

/** What a Lighthouse report says of a page. */
interface Scores {
  readonly performance: number;
  readonly accessibility: number;
  /** Milliseconds: first and largest paint, blocked main thread. */
  readonly fcp: number;
  readonly lcp: number;
  readonly blocking: number;
  readonly shift: number;
  readonly kilobytes: number;
}

/** The part of Lighthouse's JSON report that is read. */
interface Report {
  readonly categories: Readonly<Record<"performance" | "accessibility", { readonly score: number }>>;
  readonly audits: Readonly<Record<string, { readonly numericValue: number }>>;
}

/** Measures a page once, with Lighthouse's default preset: a slow phone on a slow network. */
async function measure(url: string): Promise<Scores> {
  const [program, ...first] = (process.env.LIGHTHOUSE ?? "npx -y lighthouse").split(" ");
  const flags = ["--quiet", "--output=json", "--only-categories=performance,accessibility"];
  const chrome = "--chrome-flags=--no-sandbox --headless=new --disable-dev-shm-usage";
  const { stdout } = await promisify(execFile)(program, [...first, url, ...flags, chrome], {
    maxBuffer: 1 << 28,
  });
  const { categories, audits } = JSON.parse(stdout) as Report;
  const value = (audit: string) => audits[audit].numericValue;
  return {
    performance: 100 * categories.performance.score,
    accessibility: 100 * categories.accessibility.score,
    fcp: value("first-contentful-paint"),
    lcp: value("largest-contentful-paint"),
    blocking: value("total-blocking-time"),
    shift: value("cumulative-layout-shift"),
    kilobytes: value("total-byte-weight") / 1024,
  };
}

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[values.length >> 1];

const wanted = process.argv.slice(2);
const { address, close } = await serveSite();
console.log("| page | performance | accessibility | FCP ms | LCP ms | TBT ms | CLS | kB |");
console.log("| --- | --- | --- | --- | --- | --- | --- | --- |");
for (const page of wanted.length ? wanted : pages) {
  const all: Scores[] = [];
  for (let i = 0; i < runs; i++) all.push(await measure(address + page));
  const of = (name: keyof Scores, digits = 0) => median(all.map((one) => one[name])).toFixed(digits);
  const row = ["performance", "accessibility", "fcp", "lcp", "blocking"] as const;
  console.log(
    `| \`${page}\` | ${row.map((name) => of(name)).join(" | ")} | ${of("shift", 3)} | ${of("kilobytes")} |`,
  );
}
close();
