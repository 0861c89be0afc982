export { defaultRng, Generator } from "./generator.ts";
export { PCG64 } from "./pcg64.ts";
export { type Seed, SeedSequence } from "./seed-sequence.ts";
