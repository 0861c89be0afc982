import { describe, expect, it } from "vitest";
import { examplesFrom } from "./file.ts";
import { exampleIn } from "./format.ts";

const user = (content: string) => ({ role: "user", content });
const assistant = (content: string) => ({ role: "assistant", content });
const kindOf = (line: object) => exampleIn(line, "line 1");
/** The message of the error for a line. */
function faultOf(line: unknown): string {
  try {
    exampleIn(line, "data.jsonl, line 7");
  } catch (error) {
    return (error as Error).message.replace("data.jsonl, line 7: ", "");
  }
  return "no error";
}

describe("formats of examples", () => {
  it("are recognised by their fields", () => {
    const pair = { prompt: "2+2=", completion: "4" };
    const lines = [
      { text: "Once." },
      { messages: [user("Hi"), assistant("Hello")] },
      pair,
      { prompt: "2+2=", answer: 4 },
      { prompt: "2+2=", chosen: "4", rejected: "5" },
      { prompt: "2+2=", completions: ["4", "5"], scores: [1, 0] },
      { ...pair, label: true },
      { prompt: "2+2=", completions: ["Add.", "4"], labels: [1, false] },
    ];
    expect(lines.map((line) => kindOf(line).kind)).toEqual([
      ...["document", "conversation", "completion", "completion"],
      ...["preference", "ranking", "labelled", "steps"],
    ]);
    expect(kindOf(lines[3])).toEqual({ kind: "completion", prompt: "2+2=", completion: "4" });
    expect(kindOf(lines[7])).toMatchObject({ steps: ["Add.", "4"], labels: [true, false] });
  });

  it("end a conversation with its last assistant turn", () => {
    const messages = [user("a"), assistant("b"), user("c")];
    expect(kindOf({ messages })).toEqual({ kind: "conversation", messages: messages.slice(0, 2) });
    expect(kindOf({ messages: messages.slice(0, 1), completion: "b" })).toEqual({
      kind: "completion",
      prompt: [messages[0]],
      completion: "b",
    });
  });

  it("find the prompt of a preference that has none", () => {
    const turns = [user("Capital of Peru?")];
    expect(
      kindOf({ chosen: [...turns, assistant("Lima")], rejected: [...turns, assistant("Quito")] }),
    ).toEqual({
      kind: "preference",
      prompt: turns,
      chosen: [assistant("Lima")],
      rejected: [assistant("Quito")],
    });
    expect(kindOf({ chosen: "Human: Hi\nAI: Hello", rejected: "Human: Hi\nAI: Help" })).toMatchObject({
      prompt: "Human: Hi\nAI: ",
      chosen: "Hello",
      rejected: "Help",
    });
    expect(kindOf({ chosen: "yes", rejected: "yes indeed", margin: 0.5 })).toMatchObject({
      prompt: "",
      chosen: "yes",
      rejected: "yes indeed",
      margin: 0.5,
    });
  });

  it("never lose a prompt that has another place", () => {
    const turns = [user("Capital of Peru?")];
    const [lima, quito] = [assistant("Lima"), assistant("Quito")];
    const preference = { kind: "preference", prompt: turns, chosen: [lima], rejected: [quito] };
    // The prompt, and again at the beginning of both conversations.
    const whole = { chosen: [...turns, lima], rejected: [...turns, quito] };
    const { content } = turns[0];
    expect(kindOf({ prompt: content, messages: whole.chosen, ...whole })).toEqual({
      ...preference,
      prompt: content,
    });
    expect(kindOf({ messages: whole.chosen, ...whole })).toEqual(preference);
    expect(kindOf({ prompt: turns, ...whole })).toEqual(preference);
    expect(kindOf({ messages: turns, chosen: "Lima", rejected: "Quito" })).toEqual({
      ...preference,
      chosen: "Lima",
      rejected: "Quito",
    });
    const labelled = { kind: "labelled", prompt: turns, completion: [lima], label: false };
    expect(kindOf({ messages: [...turns, lima], label: 0 })).toEqual(labelled);
    expect(kindOf({ messages: turns, completion: "Lima", label: false })).toEqual({
      ...labelled,
      completion: "Lima",
    });
    expect(kindOf({ messages: turns, completions: ["a", "b"], scores: [1, 0] })).toMatchObject({
      kind: "ranking",
      prompt: turns,
    });
  });

  it("may weigh turns of a prompt, which are not learned", () => {
    const turn = { ...assistant("x"), weight: 0 };
    const line = { prompt: [user("q"), turn, user("r")], completion: [{ ...assistant("y"), weight: 1 }] };
    expect(exampleIn(line, "here")).toMatchObject({ kind: "completion", completion: [assistant("y")] });
  });

  it("read tools and calls as the OpenAI API writes them", () => {
    const add = { name: "add", parameters: { type: "object" } };
    const call = { id: "7", type: "function", function: { name: "add", arguments: '{"a":1}' } };
    const messages = [
      user("1+1"),
      { role: "assistant", content: null, tool_calls: [call] },
      { role: "tool", content: "2", tool_call_id: "7", name: "add" },
      {
        role: "assistant",
        content: [
          { type: "text", text: "It is " },
          { type: "text", text: "2." },
        ],
      },
    ];
    const example = kindOf({ messages, tools: [add] });
    expect(example).toMatchObject({
      tools: [{ type: "function", function: add }],
      messages: [
        user("1+1"),
        {
          role: "assistant",
          content: "",
          calls: [{ id: "7", name: "add", arguments: { a: 1 } }],
          apart: true,
        },
        { role: "tool", content: "2", call: "7", name: "add" },
        assistant("It is 2."),
      ],
    });
    expect(kindOf({ messages, tools: JSON.stringify([add]) })).toEqual(example);
    expect(kindOf({ messages, tools: "" }).tools).toBeUndefined();
  });
});

describe("errors of a line", () => {
  const ask = [user("Hi")];

  it.each([
    [[], "the line is []; it must be an object"],
    ["text", 'the line is "text"; it must be an object'],
    [{}, "the line has no fields, which are not a format of an example. Formats: "],
    [{ conversations: [] }, 'Write "messages" with role and content instead of "conversations"'],
    [{ instruction: "Add", output: "4" }, 'Write "prompt" instead of "instruction"'],
    [{ prompt: "2+2=" }, "the line has a prompt, but no completion to learn"],
    [{ prompt: "", completion: "4" }, "the prompt is empty"],
    [{ prompt: "2+2=", completion: " " }, "completion is empty"],
    [{ prompt: "2+2=", completion: 1e20 }, "a number above 2^53"],
    [{ text: "" }, "text is empty"],
    [{ text: 5 }, "text is 5; it must be a string"],
    [{ messages: [] }, "messages is []; it must be an array of turns"],
    [{ messages: ask }, "messages has no assistant turn to learn"],
    [{ messages: [assistant("Hi")] }, "messages must not begin with the answer"],
    [{ messages: [...ask, assistant("")] }, "messages[1], an assistant turn, is empty"],
    [
      { messages: [{ role: "human", content: "Hi" }] },
      'the role of messages[0] is "human"; it must be one of system, user',
    ],
    [{ messages: [{ role: "user", content: 5 }] }, "the content of messages[0], a turn with role user, is 5"],
    [{ messages: [null] }, "messages[0] is null; it must be a turn"],
    [{ messages: [...ask, { ...assistant("x"), reasoning: "y" }] }, "has reasoning, which is not supported"],
    [{ messages: [...ask, { ...assistant("x"), weight: 0 }] }, "messages[1] has weight 0"],
    [{ messages: [{ ...user("x"), tool_calls: [{}] }] }, "messages[0].tool_calls[0] has no function name"],
    [
      { messages: [{ role: "user", content: [{ type: "image_url" }] }] },
      'a part of type "image_url"; only text',
    ],
    [{ messages: [...ask, assistant("x")], tools: [{}] }, "tools[0] has no name"],
    [{ messages: [...ask, assistant("x")], tools: "{" }, "tools is a string that is not JSON"],
    [{ prompt: "a", chosen: "b" }, "the line has no rejected"],
    [{ prompt: "a", rejected: "b" }, "the line has no chosen"],
    [{ prompt: "a", chosen: "b", rejected: "b" }, "chosen and rejected are equal"],
    [{ prompt: "a", chosen: "b", rejected: "" }, "rejected is empty"],
    [{ prompt: "a", chosen: "b", rejected: [assistant("c")] }, "one of chosen and rejected is a text"],
    [{ prompt: "a", chosen: "b", rejected: "c", margin: "x" }, 'margin is "x"'],
    [{ prompt: "a", chosen: ask, rejected: ask }, "chosen ends with a turn with role user"],
    [
      { prompt: "a", chosen: [...ask, assistant("b")], rejected: [...ask, assistant("c")] },
      "chosen begins with a turn with role user, which does not follow the prompt",
    ],
    [
      { prompt: "a", completions: ["b", "c"] },
      "scores is undefined; it must be a non-empty array. A ranking needs scores",
    ],
    [{ prompt: "a", completions: ["b", "c"], scores: [1] }, "there are 2 completions, but 1 scores"],
    [{ prompt: "a", completions: ["b", "c"], scores: [1, 1] }, "all scores are equal"],
    [{ prompt: "a", completions: ["b", "c"], scores: [1, null] }, "scores[1] is null"],
    [{ prompt: "a", completions: ["b"], scores: [1] }, "at least two completions"],
    [{ prompt: "a", completions: ["b", ""], labels: [1, 0] }, 'completions[1] is ""'],
    [{ prompt: "a", completions: ["b"], labels: [2] }, "labels[0] is 2; it must be true or false"],
    [{ prompt: "a", completion: "b", label: "yes" }, 'label is "yes"'],
    [{ text: "a", split: "later" }, 'split is "later"'],
    [
      { question: "a", chosen: "b", rejected: "c" },
      'the line has question, which is not read beside chosen and rejected. Write "prompt" instead.',
    ],
    [
      { messages: [...ask, assistant("a")], chosen: "b", rejected: "c" },
      "messages ends with an assistant turn",
    ],
    [{ prompt: "a", system: "Rhyme.", completion: "b" }, "system is not read. Write it as the first turn"],
    [{ prompt: "a", completions: ["b", "c"], scores: [1e39, 0] }, "scores[0] is 1e+39; it must be a number"],
  ])("%j", (line, message) => {
    expect(faultOf(line)).toContain(message);
  });

  it("name the example, and leave the others readable", () => {
    const source = examplesFrom([{ text: "a" }, { text: "" }, { text: "c" }]);
    expect(source.read(2)).toEqual({ kind: "document", text: "c" });
    expect(() => source.read(1)).toThrow("examples, example 2: text is empty");
  });
});
