import { some } from "../../tasks/random.ts";
import { type ScriptedPlayer, textTask } from "../../tasks/text-task.ts";
import {
  answer,
  callOf,
  flags,
  goal,
  isDone,
  keyOf,
  levels,
  makeService,
  type Records,
  type Service,
  type Use,
  written,
} from "./api-service.ts";
import { novice } from "./novice.ts";
import { wordTool } from "./word-tool.ts";

const expert: ScriptedPlayer<Service, Use> = ({ data }, { state }) => {
  const { read, docs, passed, got } = state;
  const task = data.tasks.find((t) => !isDone(t, state.records, data.records));
  if (!task) return ".";
  const name = task.plus === undefined || got.includes(task.k) ? task.name : "get";
  if (!read.includes(name)) return `docs(${name})`;
  if (docs[name].includes("p") && !passed) return "call(pass,)";
  return callOf(state, name, task);
};

const anyCall: ScriptedPlayer<Service, Use> = ({ data }, _, random) => {
  const { name, k, v = "0", m = "" } = random.choice(data.tasks);
  const args = some(random, 3, [k, name === "mv" ? m : v, random.choice(flags)]).join("");
  return random.choice([`docs(${name})`, `call(${name},${args})`, "call(pass,)", "."]);
};

/**
 * An API whose calls must be looked up. `set a5` means that record a becomes 5, `add d2` adds a record, `del b`
 * deletes one, `mv ad` renames a key, `set a+2` needs the current value first. `docs(set)` returns the arguments of a
 * call in order, sampled for each problem: `vQk` is the value, the letter Q literally, and the key, so
 * `call(set,5Qa)` does it. `p` is a pass, the result of `call(pass,)`.
 */
export const apiWorld = textTask<Service, Use>({
  id: "api-world",
  about: "Change records through an API: docs describes the arguments of a call, call runs it.",
  levels: levels.length,
  alphabet: "abcdefghklmnopstv(),.;?+ PQRS0123456789",
  longest: { prompt: 14, answer: 14, conversation: 200 },
  make(random, level) {
    const data = makeService(random, level);
    const prompt = data.tasks.map(written).join(";");
    return {
      prompt,
      key: keyOf(data),
      answer: callOf(data, data.tasks[0].name, data.tasks[0]),
      data,
    };
  },
  verify({ data }, _, conversation) {
    const now = conversation?.state.records ?? data.records;
    const wanted = goal(data);
    const same = (a: Records, b: Records) => Object.keys({ ...a, ...b }).every((key) => a[key] === b[key]);
    if (same(now, wanted)) return { score: 1 };
    // One of two changes scores a half; changes that were not requested score nothing.
    const half = data.tasks.some((t) => same(now, goal({ ...data, tasks: [t] })));
    return data.tasks.length > 1 && half
      ? { score: 0.5, why: "one of two changes was made" }
      : { score: 0, why: "the records are not as they should be" };
  },
  episode: {
    turns: 12,
    begin: ({ data }) => ({ ...data, records: { ...data.records }, read: [], passed: false, got: [] }),
    tools: [
      wordTool<Use>("docs", "What a call takes, in order.", "name", (name, { docs, read }) => {
        read.push(name);
        return Object.hasOwn(docs, name) ? docs[name] : "no";
      }),
      // One string holds both: quotes around each would be half of the text that a small model has to write.
      wordTool<Use>("call", "Makes a call: its name, a comma, its arguments.", "request", (request, use) => {
        const comma = request.indexOf(",");
        return comma < 0 ? "no" : answer(use, request.slice(0, comma), request.slice(comma + 1));
      }),
    ],
    players: {
      expert,
      random: anyCall,
      // Makes the call with a fixed argument order and flag, ignoring the documentation.
      fixed: ({ data: { tasks } }, { turns }) => {
        const task = tasks[turns];
        return task ? `call(${task.name},${task.k}${task.v ?? task.m ?? ""}${flags[0]})` : ".";
      },
      novice: novice(expert, anyCall, 0.2),
      /** Usually gives up, and seldom plays as the expert. */
      beginner: novice<Service, Use>(expert, () => ".", 0.6),
    },
  },
});
