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
    trials: size(10, "Trials per episode, in the same room.", { within: "count" }),
    trialSteps: size(steps, "Steps per trial.", { within: "count" }),
  }) satisfies OptionTable;

/** Tasks that require memory, by id. */
export const memory = {
  "TMaze-v0": {
    description: "Read a sign, walk a long corridor, and turn as the sign said.",
    options: tMaze,
    make: (options: Omit<TMazeOptions, "active">) => new TMaze(options),
  },
  "TMazeActive-v0": {
    description: "Go back to read a sign, walk a long corridor, and turn as it said.",
    options: tMaze,
    make: (options: Omit<TMazeOptions, "active">) => new TMaze({ ...options, active: true }),
  },
  "EndlessTMaze-v0": {
    description: "A chain of T-mazes in which only the newest sign counts.",
    options: {
      corridors: size(4, "Corridors, each with its own sign.", { within: "count" }),
      length: size(5, "Maximum steps from the start of a corridor to its junction.", { within: "count" }),
      uniform: size(true, "Whether each corridor has a random length, from 1."),
    },
    make: (options: EndlessTMazeOptions) => new EndlessTMaze(options),
  },
  "RepeatCopy-v0": {
    description: "Observe a sequence of symbols, then repeat it.",
    options: {
      symbols: size(4, "Number of distinct symbols.", { within: "count" }),
      length: size(5, "Symbols in a sequence.", { within: "count" }),
      repeats: size(2, "Number of repetitions.", { within: "count" }),
    },
    make: (options: RepeatCopyOptions) => new RepeatCopy(options),
  },
  "PairRecall-v0": {
    description: "Observe names with symbols among distractors, then recall the symbol of one.",
    options: {
      pairs: size(3, "Number of pairs.", { within: "count" }),
      names: size(4, "Number of distinct names.", { within: "count" }),
      symbols: size(3, "Number of distinct symbols.", { within: "count" }),
      fewest: size(0, "Minimum number of distractor steps after each pair.", { within: "whole" }),
      most: size(3, "Maximum number of distractor steps after each pair.", { within: "whole" }),
    },
    make: (options: PairRecallOptions) => new PairRecall(options),
  },
  "MemoryCorridor-v0": {
    description: "Remember one more door in every round.",
    options: {
      rounds: size(4, "Rounds, each with one more place than the previous one.", { within: "count" }),
      doors: size(3, "Doors at each place.", { within: "count" }),
    },
    make: (options: MemoryCorridorOptions) => new MemoryCorridor(options),
  },
  "Ballet-v0": {
    description: "Watch dancers, then find the one with the requested dance.",
    options: {
      dancers: size(4, "Number of dancers, one after the other: 2 to 8.", { within: "count" }),
      delay: size(2, "Steps between two dances.", { within: "whole" }),
    },
    make: (options: BalletOptions) => new Ballet(options),
  },
  "DarkRoom-v0": {
    description: "Find an invisible goal, and remember where it is.",
    options: darkRoom(20),
    make: (options: DarkRoomOptions) => new DarkRoom(options),
  },
  "DarkKeyDoor-v0": {
    description: "Find an invisible key and then a door, and remember where they are.",
    options: darkRoom(50),
    make: (options: DarkRoomOptions) => new DarkRoom({ ...options, keyed: true }),
  },
};
