#!/usr/bin/env node
import { help, readOptions } from "./options.ts";
import { tensorSuite } from "./tensor.ts";

const [suite, ...rest] = process.argv.slice(2);

try {
  if (suite === undefined || suite === "--help" || rest.includes("--help")) process.stdout.write(`${help}\n`);
  else if (suite === "tensor") await tensorSuite(readOptions(rest));
  else throw new Error(`There is no suite ${suite}. There is: tensor.`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
