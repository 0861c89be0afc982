import type { Generator } from "@reins/core/random";
import { between, many, some } from "../../tasks/random.ts";
import { type ScriptedPlayer, textTask } from "../../tasks/text-task.ts";
import { tool } from "../../tools/tool.ts";
import { novice } from "./novice.ts";

/** Forms of the site's sections. */
const sections = { wear: ["cap", "coat"], eat: ["egg", "pie"], me: ["home", "work"] } as const;
/** The fields of a form: zip code, number and telephone of a place; size, number and colour of an item. */
const fieldsOf = (form: string) => (["home", "work"].includes(form) ? "znt" : "snc");
const forms = Object.values(sections).flat();

/** Number of forms, fields per form, whether there are sections, whether fields have values, and number of tasks. */
const levels = [
  { forms: 3, fields: 1, deep: false, filled: false, tasks: 1 },
  { forms: 4, fields: 2, deep: false, filled: false, tasks: 1 },
  { forms: 6, fields: 2, deep: true, filled: false, tasks: 1 },
  { forms: 6, fields: 3, deep: true, filled: true, tasks: 1 },
  { forms: 6, fields: 3, deep: true, filled: true, tasks: 2 },
];

/** The values of a form's fields by name; 0 is an empty one. */
interface Values {
  readonly [field: string]: number;
}

interface Site {
  /** The links of each menu in the order of their numbers; the first menu is `/`. */
  readonly menus: { readonly [menu: string]: readonly string[] };
  /** Values of each form, its fields in the order of their numbers. */
  readonly saved: { readonly [form: string]: Values };
  readonly tasks: readonly { readonly form: string; readonly values: Values }[];
}

interface Visit extends Omit<Site, "saved"> {
  saved: { [form: string]: Values };
  /** The open menu or form, and the current values of its fields. */
  page: string;
  draft: Values;
}

/** The text of a page: `1cap 2pie` is a menu, `1n_ 2s4` a form with an empty field and a filled one. */
function shown({ page, menus, draft }: Pick<Visit, "page" | "menus" | "draft">): string {
  const lines = menus[page] ?? Object.entries(draft).map(([field, value]) => `${field}${value || "_"}`);
  return lines.map((line, i) => `${i + 1}${line}`).join(" ");
}

function open(visit: Visit, page: string): string {
  visit.page = page;
  visit.draft = visit.saved[page] ?? {};
  return shown(visit);
}

function makeSite(random: Generator, level: number): Site {
  const { fields, deep, filled, tasks, ...size } = levels[level - 1];
  const there = some(random, size.forms, forms);
  const shuffled = (links: readonly string[]) => some(random, links.length, links);
  const menus = deep
    ? {
        "/": shuffled(Object.keys(sections)),
        ...Object.fromEntries(Object.entries(sections).map(([s, links]) => [s, shuffled(links)])),
      }
    : { "/": there };
  const value = () => between(random, 1, 9);
  const saved = Object.fromEntries(
    there.map((form) => {
      const names = some(random, fields, fieldsOf(form).slice(0, fields));
      return [form, Object.fromEntries(names.map((f) => [f, filled ? value() : 0]))];
    }),
  );
  const wanted = some(random, tasks, there).map((form) => {
    const names = some(random, filled ? Math.min(2, fields) : fields, Object.keys(saved[form])).sort();
    return { form, values: Object.fromEntries(names.map((f) => [f, value()])) };
  });
  return { menus, saved, tasks: wanted };
}

const sameValues = (a: Values, b: Values) => Object.keys(b).every((f) => a[f] === b[f]);

/** The expert's next action: towards the form of the first unfinished task, its fields, and the button. */
const expert: ScriptedPlayer<Site, Visit> = (_, { state }) => {
  const { tasks, saved, page, menus, draft } = state;
  const task = tasks.find(({ form, values }) => !sameValues(saved[form], values));
  if (!task) return ".";
  const { form, values } = task;
  if (page === form) {
    const names = Object.keys(draft);
    const goal: Values = { ...saved[form], ...values };
    const at = names.findIndex((f) => draft[f] !== goal[f]);
    return at < 0 ? "submit()" : `fill(${at + 1},${goal[names[at]]})`;
  }
  const next = (menus[page] ?? []).findIndex((link) => link === form || menus[link]?.includes(form));
  return `click(${next + 1})`;
};

const anyMove: ScriptedPlayer<Site, Visit> = (_, __, random) => {
  const field = between(random, 1, 3);
  const [click, fill] = [`click(${field})`, `fill(${field},${between(random, 1, 9)})`];
  return random.choice([click, click, fill, fill, "submit()", "."]);
};

const number = { type: "integer", minimum: 0, maximum: 99 } as const;

/**
 * A fictional site of menus and forms. `cap n3 s7|1pie 2cap 3egg` asks for a cap with 3 in the field n and 7 in s,
 * and shows the first page. `click(2)` follows a link (0 goes to the first page), `fill(1,7)` writes into a field,
 * `submit()` sends the form. Fields that are not in the task must stay unchanged.
 */
export const siteForms = textTask<Site, Visit>({
  id: "site-forms",
  about: "Find a form through the menus of a site, fill it in as the task says, and submit it.",
  levels: levels.length,
  alphabet: "abcefghiklmnoprstuwyz|_(),. 0123456789",
  longest: { prompt: 40, answer: 9, conversation: 340 },
  make(random, level) {
    const data = makeSite(random, level);
    const { menus, tasks } = data;
    const written = tasks.map(({ form, values }) =>
      [form, ...Object.entries(values).map(([f, v]) => f + v)].join(" "),
    );
    const prompt = `${written.join(" ")}|${shown({ page: "/", menus, draft: {} })}`;
    // Unopened forms do not make a different problem.
    const opened = tasks.map(({ form }) => [
      Object.values(menus).find((links) => links.includes(form)),
      Object.entries(data.saved[form]),
    ]);
    return { prompt, key: `${prompt} ${JSON.stringify(opened)}`, answer: ".", data };
  },
  verify({ data }, _, conversation) {
    const saved = conversation?.state.saved ?? data.saved;
    const right = (form: string) => {
      const { values = {} } = data.tasks.find((t) => t.form === form) ?? {};
      return sameValues(saved[form], { ...data.saved[form], ...values });
    };
    const spoilt = Object.keys(saved).find((f) => !right(f) && !sameValues(saved[f], data.saved[f]));
    if (spoilt) return { score: 0, why: `${spoilt} has wrong values` };
    // One of two completed tasks scores a half.
    return { score: data.tasks.filter((t) => right(t.form)).length / data.tasks.length };
  },
  episode: {
    turns: 16,
    begin: ({ data }) => ({ ...data, saved: { ...data.saved }, page: "/", draft: {} }),
    tools: [
      tool<{ link: number }, Visit>({
        name: "click",
        about: "Follows a link by its number; 0 goes to the first page.",
        parameters: { type: "object", properties: { link: number }, required: ["link"] },
        run({ link }, { state }) {
          const next = link === 0 ? "/" : state.menus[state.page]?.[link - 1];
          return next === undefined ? "no" : open(state, next);
        },
      }),
      tool<{ field: number; value: number }, Visit>({
        name: "fill",
        about: "Writes a value into a field by its number.",
        parameters: {
          type: "object",
          properties: { field: number, value: number },
          required: ["field", "value"],
        },
        run({ field, value }, { state }) {
          const name = Object.keys(state.draft)[field - 1];
          if (name === undefined) return "no";
          state.draft = { ...state.draft, [name]: value };
          return `${name}${value}`;
        },
      }),
      tool<Record<string, never>, Visit>({
        name: "submit",
        about: "Submits the open form.",
        parameters: { type: "object", properties: {} },
        run(_, { state }) {
          const { page, draft } = state;
          if (!(page in state.saved)) return "no";
          const empty = Object.keys(draft).find((f) => !draft[f]);
          if (empty) return `no ${empty}`;
          state.saved[page] = draft;
          return "ok";
        },
      }),
    ],
    players: {
      expert,
      random: anyMove,
      // Takes the first link until there is a form, and writes the values in the order of the task.
      fixed: ({ data: { tasks, menus } }, { turns }) => {
        const values = Object.values(tasks[0].values);
        const clicks = Object.keys(menus).length > 1 ? 2 : 1;
        const moves = [...many(clicks, () => "click(1)"), ...values.map((v, i) => `fill(${i + 1},${v})`)];
        return [...moves, "submit()"][turns] ?? ".";
      },
      novice: novice(expert, anyMove, 0.2),
      /** Usually gives up, and seldom plays as the expert. */
      beginner: novice<Site, Visit>(expert, () => ".", 0.55),
    },
  },
});
