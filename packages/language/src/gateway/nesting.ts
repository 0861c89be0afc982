import { ApiError } from "./api-error.ts";

/** Maximum nesting depth of a request: templates and schemas are processed recursively. */
const deepest = 128;

/** Most values in a request. The largest that is admitted otherwise, 10 000 messages, has far fewer; ten million take seconds to parse. */
const mostValues = 500_000;

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const opening = [0x5b, 0x7b];
const closing = [0x5d, 0x7d];

/** Refuses JSON that is nested too deeply or has too many values. The text is looked at before it is parsed. */
export function checkNesting(text: string): void {
  let [depth, values] = [0, 0];
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === quote) i = endOfString(text, i);
    else if (opening.includes(c)) {
      values++;
      if (++depth > deepest) refuse(`The body is nested more than ${deepest} levels deep.`);
    } else if (closing.includes(c)) depth--;
    else if (c === comma) values++;
    if (values > mostValues) refuse(`The body has more than ${mostValues} values.`);
  }
}

/** The position of the quote that ends a string, or the end of a text that lacks it. */
function endOfString(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === quote) return i;
    if (c === backslash) i++;
  }
  return text.length;
}

function refuse(message: string): never {
  throw new ApiError(400, message, { code: "invalid_value" });
}
