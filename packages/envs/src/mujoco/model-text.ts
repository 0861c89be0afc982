import { fail } from "@reins/core";
import { describeValue } from "@reins/core/errors";

/**
 * The text of a model, from the file at a path; a string that begins with a tag is the text itself, for platforms
 * without files.
 */
export function modelText(id: string, xmlFile: string): string {
  if (typeof xmlFile !== "string")
    return fail(id, `xmlFile is ${describeValue(xmlFile)}; use the path of an MJCF file, or its text.`);
  if (xmlFile.trimStart().startsWith("<")) return xmlFile;
  const fs = globalThis.process?.getBuiltinModule?.("node:fs");
  if (!fs) return fail(id, "xmlFile is a path, but this platform has no files. Pass the text of the model.");
  try {
    return fs.readFileSync(xmlFile, "utf8");
  } catch (error) {
    return fail(id, `cannot read the model at ${xmlFile}: ${(error as Error).message}.`);
  }
}
