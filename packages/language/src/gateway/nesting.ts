import { endOfString, nestedDeeper } from "../json-depth.ts";
import { ApiError } from "./api-error.ts";

/** Maximum nesting depth of a request: templates and schemas are processed recursively. */
const deepest = 128;

/** Most values in a request. The largest that is admitted otherwise, 10 000 messages, has far fewer; ten million take seconds to parse. */
const mostValues = 500_000;

const [quote, comma] = [0x22, 0x2c];
const opening = [0x5b, 0x7b];

/** Refuses JSON that is nested too deeply or has too many values. The text is looked at before it is parsed. */
export function checkNesting(text: string): void {
  if (nestedDeeper(text, deepest)) refuse(`The body is nested more than ${deepest} levels deep.`);
  let values = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === quote) i = endOfString(text, i);
    else if (c === comma || opening.includes(c)) values++;
    if (values > mostValues) refuse(`The body has more than ${mostValues} values.`);
  }
}

function refuse(message: string): never {
  throw new ApiError(400, message, { code: "invalid_value" });
}
