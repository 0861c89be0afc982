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

/** Submissions to the queue of a GPU so far: without any, a comparison would compare the CPU with itself. */
let submissions = 0;

/** Counts submissions from now on. */
export function countSubmissions(): void {
  const { prototype } = GPUQueue;
  const { submit } = prototype;
  prototype.submit = function (buffers) {
    submissions++;
    return submit.call(this, buffers);
  };
}

export async function collect(section: Section, count: number): Promise<Found> {
  const start = performance.now();
  const wrong: string[] = [];
  let programs = 0;
  let before = submissions;
  for await (const row of section(count)) {
    programs++;
    if (submissions === before) wrong.push(`${row.what}: nothing ran on the GPU`);
    before = submissions;
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
