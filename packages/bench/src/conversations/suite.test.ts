import { expect, test } from "vitest";
import { conversationsSuite } from "./suite.ts";

test("options that make no sense are refused before anything is measured", async () => {
  await expect(conversationsSuite(["--only", "all"])).rejects.toThrow("There are gateway, many, turns.");
  await expect(conversationsSuite(["--models", "huge"])).rejects.toThrow("There are tiny, small.");
  await expect(conversationsSuite(["--clock", "sun"])).rejects.toThrow("There are wall, processor.");
  await expect(conversationsSuite(["--rounds", "0"])).rejects.toThrow("a whole number from 1");
});
