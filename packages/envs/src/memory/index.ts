import { type OptionTable, size } from "@reins/core";
import { Ballet, type BalletOptions } from "./ballet.ts";
import { DarkRoom, type DarkRoomOptions } from "./dark-room.ts";
import { EndlessTMaze, type EndlessTMazeOptions } from "./endless-t-maze.ts";
import { MemoryCorridor, type MemoryCorridorOptions } from "./memory-corridor.ts";
import { PairRecall, type PairRecallOptions } from "./pair-recall.ts";
import { RepeatCopy, type RepeatCopyOptions } from "./repeat-copy.ts";
import { TMaze, type TMazeOptions } from "./t-maze.ts";

const tMaze = {
  length: size(10, "Steps from the start to the junction.", { within: "count" }),
} satisfies OptionTable;
const darkRoom = (steps: number) =>
  ({
    size: size(9, "Cells along each side.", { within: "count" }),
    trials: size(10, "Attempts in one episode, in the same room.", { within: "count" }),
    trialSteps: size(steps, "Steps of each attempt.", { within: "count" }),
  }) satisfies OptionTable;

/** Tasks that nobody does without a memory, by id. */
export const memory = {
  "TMaze-v0": {
    description: "Read a sign, walk a long corridor, and turn where the sign said.",
    options: tMaze,
    make: (options: Omit<TMazeOptions, "active">) => new TMaze(options),
  },
  "TMazeActive-v0": {
    description: "Go back to read a sign, walk a long corridor, and turn where it said.",
    options: tMaze,
    make: (options: Omit<TMazeOptions, "active">) => new TMaze({ ...options, active: true }),
  },
  "EndlessTMaze-v0": {
    description: "One T-maze after another, of which only the newest sign counts.",
    options: {
      corridors: size(4, "Corridors, each with a sign of its own.", { within: "count" }),
      length: size(5, "Steps from the start of a corridor to its junction, at most.", { within: "count" }),
      uniform: size(true, "Whether lengths are drawn anew for each corridor, from 1 on."),
    },
    make: (options: EndlessTMazeOptions) => new EndlessTMaze(options),
  },
  "RepeatCopy-v0": {
    description: "Look at a sequence of symbols, then repeat it.",
    options: {
      symbols: size(4, "Different symbols.", { within: "count" }),
      length: size(5, "Symbols in a sequence.", { within: "count" }),
      repeats: size(2, "How often it is to be repeated.", { within: "count" }),
    },
    make: (options: RepeatCopyOptions) => new RepeatCopy(options),
  },
  "PairRecall-v0": {
    description: "Look at names with symbols among others, then give back the symbol of one.",
    options: {
      pairs: size(3, "Pairs that are shown.", { within: "count" }),
      names: size(4, "Different names.", { within: "count" }),
      symbols: size(3, "Different symbols.", { within: "count" }),
      fewest: size(0, "Fewest steps after each pair in which other symbols pass.", { within: "whole" }),
      most: size(3, "Most of these steps.", { within: "whole" }),
    },
    make: (options: PairRecallOptions) => new PairRecall(options),
  },
  "MemoryCorridor-v0": {
    description: "Remember one door more in every round.",
    options: {
      rounds: size(4, "Rounds, each with one place more than the one before.", { within: "count" }),
      doors: size(3, "Doors at each place.", { within: "count" }),
    },
    make: (options: MemoryCorridorOptions) => new MemoryCorridor(options),
  },
  "Ballet-v0": {
    description: "Watch dancers, then find the one who danced what is asked.",
    options: {
      dancers: size(4, "How many dance, one after the other: 2 to 8.", { within: "count" }),
      delay: size(2, "Steps between two dances.", { within: "whole" }),
    },
    make: (options: BalletOptions) => new Ballet(options),
  },
  "DarkRoom-v0": {
    description: "Find a goal that cannot be seen, and remember where it is.",
    options: darkRoom(20),
    make: (options: DarkRoomOptions) => new DarkRoom(options),
  },
  "DarkKeyDoor-v0": {
    description: "Find a key and then a door that cannot be seen, and remember where they are.",
    options: darkRoom(50),
    make: (options: DarkRoomOptions) => new DarkRoom({ ...options, keyed: true }),
  },
};
