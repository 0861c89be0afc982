import { describe, it } from "vitest";
import { checkWorld } from "./testing.ts";
import { wordleGame } from "./wordle-game.ts";

describe("worlds do what every world must", () => {
  it("wordle-game", () => checkWorld(wordleGame, { most: 0.5 }));
});
