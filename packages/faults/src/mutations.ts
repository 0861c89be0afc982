import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import type { Random } from "./random.ts";

/** A way to damage a file. `donor` is the same file of another run, if there is one. */
export interface Mutation {
  readonly name: string;
  /** Whether the file's length or existence changes, so that every reader can detect it. */
  readonly coarse: boolean;
  apply(path: string, random: Random, donor: string | undefined): string | undefined;
}

const edit = (path: string, change: (bytes: Buffer) => string | undefined): string | undefined => {
  const bytes = readFileSync(path);
  if (!bytes.length) return undefined;
  const what = change(bytes);
  writeFileSync(path, bytes);
  return what;
};

/** All mutations. Each returns a description, or undefined if it is impossible or changes nothing. */
export const mutations: readonly Mutation[] = [
  {
    name: "truncated",
    coarse: true,
    apply(path, random) {
      const { length } = readFileSync(path);
      if (!length) return undefined;
      const to = random.below(length);
      truncateSync(path, to);
      return `truncated from ${length} to ${to} bytes`;
    },
  },
  {
    name: "emptied",
    coarse: true,
    apply(path) {
      if (!readFileSync(path).length) return undefined;
      truncateSync(path, 0);
      return "emptied";
    },
  },
  {
    name: "lengthened",
    coarse: true,
    apply(path, random) {
      const extra = Buffer.from(Array.from({ length: 1 + random.below(100) }, () => random.below(256)));
      writeFileSync(path, Buffer.concat([readFileSync(path), extra]));
      return `lengthened by ${extra.length} bytes`;
    },
  },
  {
    name: "bit flipped",
    coarse: false,
    apply: (path, random) =>
      edit(path, (bytes) => {
        const [at, bit] = [random.below(bytes.length), random.below(8)];
        bytes[at] ^= 1 << bit;
        return `bit ${bit} of byte ${at} flipped`;
      }),
  },
  {
    name: "bytes swapped",
    coarse: false,
    apply: (path, random) =>
      edit(path, (bytes) => {
        const [a, b] = [random.below(bytes.length), random.below(bytes.length)];
        if (bytes[a] === bytes[b]) return undefined;
        [bytes[a], bytes[b]] = [bytes[b], bytes[a]];
        return `bytes ${a} and ${b} swapped`;
      }),
  },
  {
    name: "zeroed",
    coarse: false,
    apply: (path, random) =>
      edit(path, (bytes) => {
        const from = random.below(bytes.length);
        const part = bytes.subarray(from, from + 1 + random.below(512));
        if (part.every((b) => b === 0)) return undefined;
        part.fill(0);
        return `${part.length} bytes from ${from} zeroed`;
      }),
  },
  {
    name: "deleted",
    coarse: true,
    apply(path) {
      rmSync(path);
      return "deleted";
    },
  },
  {
    name: "a directory",
    coarse: true,
    apply(path) {
      rmSync(path);
      mkdirSync(path);
      return "replaced by a directory";
    },
  },
  {
    name: "another's",
    coarse: false,
    apply(path, _, donor) {
      if (!donor || !existsSync(donor) || readFileSync(donor).equals(readFileSync(path))) return undefined;
      copyFileSync(donor, path);
      return "replaced by that of another run";
    },
  },
];
