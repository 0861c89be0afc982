import { fail } from "@reins/core";
import { didYouMean } from "@reins/core/errors";
import { checkImage } from "../models/images.ts";
import type { GeneratorOptions } from "./options.ts";
import { checkSampling } from "./sampling.ts";
import type { Request } from "./sequence.ts";

const fields: { readonly [name in keyof Required<Request>]: true } = {
  prompt: true,
  image: true,
  seed: true,
  limit: true,
  constraint: true,
  stop: true,
  sampling: true,
};

/** Rejects unknown fields and requests that cannot be continued. */
export function checkRequest(request: Request, { context, model }: GeneratorOptions): void {
  checkFields("field", request, Object.keys(fields));
  const { prompt, limit, image, sampling } = request;
  if (prompt.length === 0) fail("generate", "the prompt is empty. It must have at least one token.");
  if (prompt.length + 1 > context)
    fail(
      "generate",
      `the prompt has ${prompt.length} tokens; the model's context is ${context}. Shorten it.`,
    );
  if (!(limit >= 1))
    fail(
      "generate",
      `limit is ${limit}; it must be at least 1. Set it to the maximum number of tokens to generate.`,
    );
  if (sampling) {
    checkFields("sampling field", sampling, ["temperature", "topP"]);
    checkSampling(sampling);
  }
  if (image) checkImage(model, prompt, image);
}

function checkFields(what: string, given: object, known: readonly string[]): void {
  for (const name of Object.keys(given))
    if (!known.includes(name))
      fail(
        "generate",
        `a request has no ${what} ${JSON.stringify(name)}.${didYouMean(name, known)} Known fields: ${known.join(", ")}.`,
      );
}
