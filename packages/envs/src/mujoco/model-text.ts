import { fail, said } from "@reins/core";

/** The text of a model, from the file at a path; what begins with a tag is the text itself, as where there are no files. */
export function modelText(id: string, xmlFile: string): string {
  if (typeof xmlFile !== "string")
    return fail(id, `xmlFile is ${said(xmlFile)}; it is the path of a file of MJCF, or its text.`);
  if (xmlFile.trimStart().startsWith("<")) return xmlFile;
  const fs = globalThis.process?.getBuiltinModule?.("node:fs");
  if (!fs) return fail(id, "xmlFile is a path, and there are no files here. Give the text of the model.");
  try {
    return fs.readFileSync(xmlFile, "utf8");
  } catch (error) {
    return fail(id, `the model at ${xmlFile} cannot be read: ${(error as Error).message}.`);
  }
}
