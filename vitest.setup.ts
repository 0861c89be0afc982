import { afterEach } from "vitest";

const { setImmediate: soon } = globalThis;

// A file whose tests never wait would keep the process from hearing that its results arrived, which counts as an error after a minute.
afterEach(() => new Promise<void>((heard) => soon(heard)));
