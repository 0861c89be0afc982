import { expect, it } from "vitest";
import { renderChat } from "./chat.ts";
import type { Message } from "./message.ts";

const messages: readonly Message[] = [{ role: "user", content: "hi" }];
const rendered = (template: string) => renderChat(messages, { template });

it("strips only the given characters, as in Python", () => {
  const reply = "'<think>\\na\\n</think>\\n\\n    return x  \\n'";
  expect(rendered(`{{ ${reply}.split('</think>')[-1].lstrip('\\n') }}|`)).toBe("    return x  \n|");
  expect(rendered(`{{ ${reply}.split('</think>')[-1].strip('\\n') }}|`)).toBe("    return x  |");
  expect(rendered("{{ 'abxba'.rstrip('ab') }}{{ ' a '.strip() }}{{ 'xa'.lstrip('x').upper() }}")).toBe(
    "abxaA",
  );
});

it("writes booleans, lists and mappings as Python does", () => {
  const value = "{'a': [1, none, true], 'b': \"it's\"}";
  const text = "{'a': [1, None, True], 'b': \"it's\"}";
  expect(rendered(`{{ ${value} }}`)).toBe(text);
  expect(rendered(`{% for x in [1] %}{% if x %}{{ ${value} | string }}{% endif %}{% endfor %}`)).toBe(text);
  expect(rendered(`{% set x = 'tool ' ~ ${value} ~ 1 %}{{ x }}`)).toBe(`tool ${text}1`);
  expect(rendered("{{ messages[0] }} {{ 1 == 1 }} {{ 6 / 4 }} {{ 2.0 }}")).toBe(
    "{'role': 'user', 'content': 'hi'} True 1.5 2.0",
  );
  // A macro is called once, and JSON stays JSON.
  expect(rendered("{% macro f() %}[{{ true }}]{% endmacro %}{{ f() }}{{ [true] | tojson }}")).toBe(
    "[True][true]",
  );
});
