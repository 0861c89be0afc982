import { box, discrete, type EnvSpec, type Episode, type Maker, type TaskItem } from "@reins/core";
import { type Actor, EpisodeRecorder } from "@reins/core/loops";
import { type Tensor, tensor, zeros } from "@reins/tensor";

const words = 5;
const width = 2 + words;
/** The asker knows the problem and calls the calculator; the answerer sees only the calculator's output. Words are the numbers 0 to 4. */
export const homework: EnvSpec = {
  id: "Homework-v0",
  observation: box([width], 0, 1),
  action: discrete(words),
  agents: { names: ["asker", "answerer"], order: "turns", policies: ["asker", "answerer"] },
};

/** Even words add, odd ones multiply. */
const calculator = (called: number, a: number, b: number) => (called % 2 ? a * b : a + b);
/** The second question continues from the first answer. */
const carried = (answer: number) => Math.min(answer, 2);
const given = ({ context }: Pick<TaskItem, "context">) =>
  [context?.wanted, context?.a, context?.b].map(Number);

/** Observations of the roles, in rows: one for each parallel conversation. */
export const roomFor = (rows: number) => ({
  observation: zeros([rows, width]),
  agent: zeros([rows], "i32"),
});

/** Two questions, each a call by the asker, an output of the calculator and an answer, for all problems in parallel. */
export function converse(
  actor: Actor,
  room: ReturnType<typeof roomFor>,
  problems: readonly TaskItem[],
  version = 0,
): Episode[] {
  const recorders = problems.map(() => new EpisodeRecorder());
  const first = problems.map((p) => given(p)[1]);
  const note = (row: number, by: Maker, word: number, logProb = 0) =>
    recorders[row].add(
      {
        observation: tensor(room.observation.data.slice(row * width, (row + 1) * width), {
          shape: [1, width],
        }),
        agent: tensor(room.agent.data.slice(row, row + 1)),
        action: tensor(Int32Array.of(word)),
        logProb,
        // Only the test reads this column: a loss that contains it was trained on a tool.
        tool: by === "tool" ? 1 : 0,
      },
      by,
      version,
    );
  const say = (agent: number, see: readonly number[]): number[] => {
    room.observation.data.fill(0);
    room.agent.data.fill(agent);
    see.forEach((x, row) => (room.observation.data[row * width + x] = 1));
    const { action, logProb } = actor.act();
    const said = Array.from((action as Tensor).data);
    said.forEach((word, row) => {
      recorders[row].open({ context: homework.agents?.names[agent] });
      note(row, "policy", word, logProb?.data[row]);
    });
    return said;
  };
  for (let question = 0; question < 2; question++) {
    const calls = say(
      0,
      problems.map((p) => given(p)[0]),
    );
    const results = calls.map((call, row) => calculator(call, first[row], given(problems[row])[2]));
    results.forEach((result, row) => note(row, "tool", result));
    say(
      1,
      results.map((result) => 2 + result),
    ).forEach((answer, row) => (first[row] = carried(answer)));
  }
  return problems.map(({ key, context }, row) =>
    recorders[row].finish({ terminated: true, truncated: false, return: [], task: key, context, group: key }),
  );
}

/** The answers. */
export const answersOf = ({ segments, columns }: Episode): number[] =>
  segments.filter((s) => s.context === "answerer").map((s) => (columns.action as Tensor).data[s.from]);

/** The fraction of correct answers. */
export function mark(episode: Episode): number {
  const [wanted, a, b] = given(episode);
  const right = calculator(wanted, a, b);
  const [one, two] = answersOf(episode);
  return (Number(one === right) + Number(two === calculator(wanted, carried(right), b))) / 2;
}
