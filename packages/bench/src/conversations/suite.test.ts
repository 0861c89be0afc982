import { expect, test } from "vitest";
import { conversationsSuite } from "./suite.ts";

test("invalid options are refused before measuring", async () => {
  await expect(conversationsSuite(["--only", "all"])).rejects.toThrow("Use gateway, many, turns.");
  await expect(conversationsSuite(["--models", "huge"])).rejects.toThrow("Use tiny, small.");
  await expect(conversationsSuite(["--clock", "sun"])).rejects.toThrow("Use wall, processor.");
  await expect(conversationsSuite(["--rounds", "0"])).rejects.toThrow("a whole number of at least 1");
});
