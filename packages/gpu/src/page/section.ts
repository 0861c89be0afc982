/** What a section of the page found. */
export interface Found {
  /** Number of programs that were compared. */
  readonly programs: number;
  /** Programs that differ or fail, each with its first difference. */
  readonly wrong: readonly string[];
  readonly seconds: number;
}

/** A comparison of WebGPU with WebAssembly: yields a description of each program, and its difference if there is one. */
export type Section = (count: number) => AsyncIterable<{ readonly what: string; readonly wrong?: string }>;

export async function collect(section: Section, count: number): Promise<Found> {
  const start = performance.now();
  const wrong: string[] = [];
  let programs = 0;
  for await (const row of section(count)) {
    programs++;
    if (row.wrong) wrong.push(`${row.what}: ${row.wrong}`);
  }
  return { programs, wrong, seconds: (performance.now() - start) / 1e3 };
}

/** The difference that `compare` finds, or its error. */
export async function attempt(compare: () => Promise<string | undefined>): Promise<{ wrong?: string }> {
  try {
    const wrong = await compare();
    return wrong ? { wrong } : {};
  } catch (error) {
    return { wrong: `failed: ${(error as Error).stack ?? error}` };
  }
}
