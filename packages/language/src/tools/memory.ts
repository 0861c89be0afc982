import { type Tool, tool } from "./tool.ts";

const key = { type: "string" } as const;

/** Key-value memory of a conversation: `put` and `get`. Beyond `most` entries, the oldest is dropped. */
export function keyMemory({ most = 64, prefix = "" }: { most?: number; prefix?: string } = {}): Tool[] {
  const entries = (store: Map<string, unknown>) => {
    const known = store.get(`${prefix}memory`) as Map<string, string> | undefined;
    if (known) return known;
    const fresh = new Map<string, string>();
    store.set(`${prefix}memory`, fresh);
    return fresh;
  };
  return [
    tool<{ key: string; value: string }>({
      name: `${prefix}put`,
      about: "Remembers a value under a key, instead of what was there.",
      parameters: {
        type: "object",
        properties: { key, value: { type: "string" } },
        required: ["key", "value"],
      },
      run({ key, value }, { store }) {
        const all = entries(store);
        all.delete(key);
        all.set(key, value);
        const [oldest] = all.keys();
        if (all.size > most) all.delete(oldest);
        return "ok";
      },
    }),
    tool<{ key: string }>({
      name: `${prefix}get`,
      about: "What is remembered under a key.",
      parameters: { type: "object", properties: { key }, required: ["key"] },
      run: ({ key }, { store }) => entries(store).get(key) ?? "nothing",
    }),
  ];
}

/** Memory of notes without keys: `note` adds one, `notes` returns those with a word, newest first. */
export function noteMemory({ most = 64, prefix = "" }: { most?: number; prefix?: string } = {}): Tool[] {
  const entries = (store: Map<string, unknown>) => {
    const known = store.get(`${prefix}notes`) as string[] | undefined;
    if (known) return known;
    const fresh: string[] = [];
    store.set(`${prefix}notes`, fresh);
    return fresh;
  };
  return [
    tool<{ text: string }>({
      name: `${prefix}note`,
      about: "Remembers a note.",
      parameters: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
      run({ text }, { store }) {
        const all = entries(store);
        all.unshift(text);
        all.length = Math.min(all.length, most);
        return "ok";
      },
    }),
    tool<{ word: string }>({
      name: `${prefix}notes`,
      about: "Notes that hold a word, the newest first.",
      parameters: { type: "object", properties: { word: { type: "string" } }, required: ["word"] },
      run: ({ word }, { store }) =>
        entries(store)
          .filter((n) => n.includes(word))
          .join("\n") || "nothing",
    }),
  ];
}
