import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { sandboxes as language } from "reins/language";
import type { Campaign, Outcome } from "./campaign.ts";
import type { Random } from "./random.ts";
import {
  type Attacks,
  type AttackTarget,
  inJavaScript,
  inLinearPrograms,
  inPython,
  inSql,
} from "./sandbox-attacks.ts";

/** A sandbox, its attacks, and a program that shows that it still works. */
interface Target {
  readonly name: string;
  readonly attacks: Attacks;
  run(program: string): Promise<language.SandboxOutcome>;
  readonly works: { readonly program: string; readonly found: string };
}

const secret = "a secret that no program may see";
/** Milliseconds after which a run counts as hanging. */
const watchdog = 180_000;

/** Programs that try to escape the sandboxes. */
export const sandboxes: Campaign = {
  name: "sandboxes",
  about:
    "Runs programs in the JavaScript, Python, SQL and solver sandboxes that try to reach files, the network, processes, prototypes, memory and time. None may succeed.",
  unit: "attacks",
  columns: ["attacks", "ok", "error", "timeout", "memory", "refused"],
  async open(scratch) {
    const file = join(scratch.fresh("sandboxes"), "secret.txt");
    writeFileSync(file, secret);
    let connections = 0;
    const server = await listening(() => connections++);
    const bait = { file, port: (server.address() as { port: number }).port };
    const targets = targetsHere();
    return {
      async trial(_number, random) {
        const outcome = await trialOf(random, targets, bait);
        const more = [
          ...(connections ? [`${connections} connections arrived`] : []),
          ...(readFileSync(file, "utf8") === secret ? [] : ["the file was written"]),
        ];
        connections = 0;
        return { ...outcome, findings: [...outcome.findings, ...more] };
      },
      close: () => void server.close(),
    };
  },
};

const listening = (arrived: () => void): Promise<Server> =>
  new Promise((ready) => {
    const server = createServer((socket) => {
      arrived();
      socket.destroy();
    });
    server.listen(0, "127.0.0.1", () => ready(server));
  });

/** The sandboxes whose engines are installed. */
function targetsHere(): readonly Target[] {
  const [javascript, sql, solver] = [language.javascript(), language.sql(), language.linearProgram()];
  const found: Target[] = [
    {
      name: "javascript",
      attacks: inJavaScript,
      run: (code) => javascript.run({ code }),
      works: { program: "[1,2].map(x=>x*21)", found: "[21,42]" },
    },
    {
      name: "solver",
      attacks: inLinearPrograms,
      run: (program) => solver.run(program),
      works: { program: "Minimize\n o: x\nSubject To\n a: x >= 4\nEnd", found: "4" },
    },
    {
      name: "sql",
      attacks: inSql,
      run: (query) => sql.run({ database: "CREATE TABLE t(a); INSERT INTO t VALUES (1),(2),(3);", query }),
      works: { program: "SELECT 6*7", found: "42" },
    },
  ];
  try {
    const python = language.python({ processes: 1 });
    const works = { program: "6*7", found: "42" };
    found.push({ name: "python", attacks: inPython, run: (code) => python.run(code), works });
  } catch {
    // Pyodide is not installed.
  }
  return found;
}

async function trialOf(random: Random, targets: readonly Target[], bait: AttackTarget): Promise<Outcome> {
  const { name, attacks, run, works } = random.of(targets);
  const kind = random.of(Object.keys(attacks));
  const program = random.of(attacks[kind])(bait);
  const findings: string[] = [];
  const outcome = await inTime(run(program));
  if (outcome === "hung") findings.push("it hung");
  else {
    if (JSON.stringify(outcome).includes(secret))
      findings.push(`it read the file: ${JSON.stringify(outcome)}`);
    if ("polluted" in {}) findings.push("the host's object prototype was changed");
  }
  const after = await inTime(run(works.program));
  if (after === "hung" || after.status !== "ok" || !JSON.stringify(after.value).includes(works.found))
    findings.push(`afterwards ${works.program} gave ${JSON.stringify(after)}`);
  const what = `${name} ${kind}: ${program.replace(/\s+/g, " ").slice(0, 90)}`;
  const status = outcome === "hung" ? "timeout" : outcome.status;
  return { what, counts: { attacks: 1, [status]: 1 }, findings };
}

function inTime<T>(work: Promise<T>): Promise<T | "hung"> {
  let clock: ReturnType<typeof setTimeout>;
  const late = new Promise<"hung">((done) => {
    clock = setTimeout(() => done("hung"), watchdog);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(clock));
}
