import { type Message, type MultiTurn, type TextTask, textTask } from "@reins/language";

/** Positions in a row of rooms. */
export interface RoomsState {
  readonly rooms: number;
  readonly key: number;
  readonly door: number;
  at: number;
  has: boolean;
  open: boolean;
}

/** Settings of {@link rooms}. */
export interface RoomsOptions extends Pick<MultiTurn<RoomsState, RoomsState>, "turnReward" | "gate"> {
  /** Distinguishes it from others, because the closures of its functions are not visible. */
  readonly id: string;
  /** How often the teacher acts randomly instead of correctly (default 0.4). */
  readonly errs?: number;
  /** Maximum number of turns (default 10). */
  readonly turns?: number;
}

const moves = ["l", "r", "t", "o"];

/** The content of the current room. */
const seen = ({ at, key, door, has }: RoomsState) => (at === key && !has ? "k" : at === door ? "d" : ".");

/** The result of a move. */
function moved(state: RoomsState, move: string): string {
  const { at, rooms, key, door, has } = state;
  if (move === "l" || move === "r") {
    const to = at + (move === "l" ? -1 : 1);
    if (to < 0 || to >= rooms) return "#";
    state.at = to;
    return seen(state);
  }
  if (move === "t" && at === key && !has) {
    state.has = true;
    return "+";
  }
  if (move === "o" && at === door && has) state.open = true;
  return "-";
}

/** The next move of a teacher with memory: to the left end, then to the right; with the key, to the door. */
function right(messages: readonly Message[]): string {
  let [at, door, has, wall] = [0, undefined as number | undefined, false, false];
  const [first, ...rest] = messages;
  let here = first.content;
  if (here === "d") door = 0;
  for (let i = 0; i + 1 < rest.length; i += 2) {
    const [move, said] = [rest[i].content, rest[i + 1].content];
    if (said === "#") wall ||= move === "l";
    else if (move === "l" || move === "r") {
      at += move === "l" ? -1 : 1;
      here = said;
      if (here === "d") door = at;
    } else if (said === "+") [has, here] = [true, "."];
  }
  if (here === "k") return "t";
  if (has && door !== undefined) return door === at ? "o" : door < at ? "l" : "r";
  return wall ? "r" : "l";
}

/**
 * A row of rooms with a key and a door, of which only the current room is visible: `l` and `r` move, `t` takes the key, `o` opens the
 * door. Level 1 has three rooms, level 4 six. The score is 1 if the door is open in the end; other rewards come from `pay` only.
 */
export function rooms({ id, errs = 0.4, turns = 10, ...more }: RoomsOptions): TextTask {
  return textTask<RoomsState, RoomsState>({
    id,
    about: "Find the key and open the door: l, r, t takes, o opens.",
    levels: 4,
    alphabet: "lrtokd.#+-?",
    longest: { prompt: 1, answer: 1, conversation: 1 + 4 * turns },
    make(random, level) {
      const rooms = level + 2;
      const [key, at] = [random.integers(rooms), random.integers(rooms)];
      const door = (key + 1 + random.integers(rooms - 1)) % rooms;
      const data = { rooms, key, door, at, has: false, open: false };
      // There are few rows of rooms, so the split is random.
      return { prompt: seen(data), key: `${random.integers(1e9)}`, answer: "", data };
    },
    verify: (_, __, conversation) => ({
      score: conversation?.state.open ? 1 : 0,
      terms: { key: conversation?.state.has ? 1 : 0 },
    }),
    episode: {
      ...more,
      turns,
      turn(state, { content }) {
        if (!moves.includes(content)) return { say: "?" };
        const say = moved(state, content);
        return state.open ? { done: true } : { say };
      },
      players: {
        expert: (_, { messages }, random) => (random.chance(errs) ? random.choice(moves) : right(messages)),
      },
    },
  });
}

/** Metrics of all recipes about rooms, so that they can be compared. */
export const roomsMetrics = {
  accuracy: { about: "held-out success", better: "higher", worst: 0, best: 1 },
  turns: { about: "turns per conversation", better: "lower", worst: 10, best: 4 },
} as const;

/** The common task of all recipes about three rooms: a tiny model that has imitated a teacher with errors in four moves of ten. */
export const roomsTask = {
  levels: [1],
  model: { layers: 1, width: 32, imitation: 60_000 },
  score: { problems: 200, looks: 4 },
  quick: { model: { imitation: 40_000 } },
} as const;

/** The task for recipes that are evaluated only at the end; as many texts are generated at a time as are sampled, which is twice as fast. */
export const shortRooms = {
  ...roomsTask,
  model: { ...roomsTask.model, rows: 48 },
  task: rooms({ id: "rooms" }),
  score: { problems: 150, looks: 1 },
} as const;
