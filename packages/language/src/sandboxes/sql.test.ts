import { describe, expect, it } from "vitest";
import { sql } from "./sql.ts";

describe("sql", () => {
  const sandbox = sql({ steps: 2_000_000 });
  const database = "create table t(a,b);insert into t values(1,2),(3,4),(5,null)";
  const run = (query: string) => sandbox.run({ database, query });
  const forever = "with recursive c(x) as (select 1 union all select x+1 from c)";

  it("answers queries", async () => {
    expect(await run("select a,b from t where a<4 order by a desc")).toEqual({
      status: "ok",
      value: {
        columns: ["a", "b"],
        rows: [
          [3, 4],
          [1, 2],
        ],
      },
    });
    expect(
      (await run("/* of */ -- all\n SELECT sum(a), x'00ff', null, 'é', 1.5 FROM t;")).value?.rows,
    ).toEqual([[9, "x'00ff'", null, "é", 1.5]]);
    expect((await run("values(1),(2)")).value?.rows).toEqual([[1], [2]]);
    expect((await run("select a from t where 0")).value?.rows).toEqual([]);
  });

  const hostile: Record<string, readonly string[]> = {
    timeout: [
      `${forever} select count(*) from c`,
      `${forever} select max(length(replace(hex(zeroblob(1000+x%9)),'0','11'))) from c`,
      `select count(*) from ${Array.from({ length: 20 }, (_, i) => `t x${i}`)}`,
      `select count('a' like '${"%a".repeat(2000)}') from ${Array.from({ length: 20 }, (_, i) => `t x${i}`)}`,
      `${forever} select x from c where x<0 order by x`,
      // Long work in a single SQLite instruction.
      "select sum(length(replace(hex(zeroblob(1000000)),'0','00'))) from t x,t y,t z",
    ],
    memory: [
      `${forever} select x from c`,
      "select length(hex(zeroblob(500000000)))",
      "select printf('%.*c',100000000,'x')",
      "select hex(zeroblob(20000))",
      "select * from t a,t b,t c,t d,t e,t f,t g,t h,t i,t j,t k,t l",
    ],
    error: [
      "select",
      "select * from nothing",
      "select load_extension('x')",
      "select readfile('/etc/passwd')",
      "select writefile('x','y')",
      "with x as (select 1) delete from t",
      "with x as (select 1) insert into t select 1,1",
      `select ${"1+".repeat(5000)}1`,
      `select '${"x".repeat(100)}`,
    ],
    refused: [
      "",
      ";",
      "delete from t",
      "drop table t",
      "pragma query_only=0",
      "pragma hard_heap_limit=0",
      "attach 'x' as y",
      "vacuum into 'x'",
      "explain select 1",
      "select 1;drop table t",
      "select 1;select 2",
      "select random()",
      "select random()+a from t",
      "select a from t order by RANDOM ( )",
      "select hex(randomblob(4))",
      "select abs(random/**/())",
      "begin",
      `select ${"1,".repeat(20_000)}1`,
    ],
  };
  for (const [status, queries] of Object.entries(hostile))
    it(`ends in ${status} where required`, async () => {
      for (const query of queries) expect((await run(query)).status, query.slice(0, 70)).toBe(status);
      expect((await run("select count(*),sum(a) from t")).value?.rows).toEqual([[3, 9]]);
    });

  it("isolates databases", async () => {
    for (let i = 0; i < 150; i++) {
      const on = `create table t(a);insert into t values(${i})`;
      expect((await sandbox.run({ database: on, query: "select a from t" })).value?.rows).toEqual([[i]]);
    }
    expect((await run("select sum(a) from t")).value?.rows).toEqual([[9]]);
    expect((await sandbox.run({ database: "create tabel", query: "select 1" })).status).toBe("error");
  });

  it("isolates runs, whatever files they create", async () => {
    const alone = sql({ steps: 2_000_000 });
    const leaks: [write: string, look: string][] = [
      ["attach 'leak.db' as z; create table z.u(a); insert into z.u values(42)", "attach 'leak.db' as z"],
      ["create table u(a); insert into u values(42); VACUUM INTO '/tmp/v.db'", "attach '/tmp/v.db' as z"],
    ];
    for (const [write, look] of leaks) {
      expect((await alone.run({ database: write, query: "select a from u" })).value?.rows).toEqual([[42]]);
      for (let i = 0; i < 2; i++)
        expect((await alone.run({ database: look, query: "select * from z.u" })).message).toContain(
          "no such table",
        );
    }
  });

  it("accepts comments after the statement", async () => {
    for (const end of ["; -- done", ";/* a */ /* b; */ ; -- c\n;", " /* open", `;${"/**/".repeat(2000)}`])
      expect((await run(`select a from t where a = 1${end}`)).value?.rows, end).toEqual([[1]]);
    for (const end of ["; -- done\nselect 2", ";/* a */ select 2 /* b */", `;${"/**/".repeat(2000)}x`])
      expect((await run(`select a from t${end}`)).status, end).toBe("refused");
  });

  it("keeps integers exact", async () => {
    const query =
      "select 9007199254740993, 9007199254740992, -9223372036854775808, 9007199254740991, 1e300, 'x'";
    expect((await run(query)).value?.rows).toEqual([
      ["9007199254740993", "9007199254740992", "-9223372036854775808", 9007199254740991, 1e300, "x"],
    ]);
  });

  const clocks = [
    "date('n'||'ow')",
    "date()",
    "time('now','localtime')",
    "datetime(lower('NOW'),'localtime')",
    "datetime('now','+1 day')",
    "julianday()",
    "julianday(char(110,111,119))",
    "strftime('%s','now')",
    "strftime('%Y %f','now')",
    "unixepoch((select 'now'))",
    "unixepoch(replace('nXw','X','o'),'subsec')",
    "timediff('now','2001-01-01')",
    "current_timestamp",
    "CURRENT_DATE",
    "current_time",
    "(select d from clocked)",
    "datetime(1e9,'unixepoch','localtime')",
    "(select file from pragma_database_list)",
    "last_insert_rowid()||total_changes()||changes()",
  ];
  it("has a fixed clock", async () => {
    const on = `${database};create table clocked(x,d default current_timestamp);insert into clocked(x) values(1)`;
    const query = `select ${clocks.join()}`;
    const first = await sandbox.run({ database: on, query });
    expect(first.value?.rows[0].slice(0, 8)).toEqual([
      "2000-01-01",
      "2000-01-01",
      "00:00:00",
      "2000-01-01 00:00:00",
      "2000-01-02 00:00:00",
      2451544.5,
      2451544.5,
      "946684800",
    ]);
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(await sql().run({ database: on, query })).toEqual(first);
    expect((await run("select datetime(1e9,'unixepoch','localtime')")).value?.rows).toEqual([
      ["2001-09-09 01:46:40"],
    ]);
  });

  it("counts steps deterministically, whatever ran before", async () => {
    const limits = { steps: 200_000 };
    const [a, b] = [sql(limits), sql(limits)];
    const ends = async (s: typeof a, n: number) =>
      (await s.run({ database, query: `${forever} select count(*) from (select x from c limit ${n})` }))
        .status;
    let [low, high] = [1, 100_000];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((await ends(a, middle)) === "ok") low = middle;
      else high = middle;
    }
    for (const other of [
      "select 1",
      `${forever} select x,hex(x) from c`,
      "select * from t order by b",
      "select x",
    ]) {
      await Promise.all([a, b].map((s) => s.run({ database: "create table u(a)", query: other })));
      expect([await ends(a, low), await ends(b, low)]).toEqual(["ok", "ok"]);
      expect([await ends(a, high), await ends(b, high)]).toEqual(["timeout", "timeout"]);
    }
  });

  it("does not block this thread while queries run", async () => {
    let turns = 0;
    const clock = setInterval(() => turns++, 1);
    const all = await Promise.all(
      Array.from({ length: 64 }, (_, i) =>
        run(i % 2 ? `select ${i}` : `${forever} select count(x+${i}) from c`),
      ),
    );
    clearInterval(clock);
    expect(all.map(({ status }) => status)).toEqual(all.map((_, i) => (i % 2 ? "ok" : "timeout")));
    expect(all[63].value?.rows).toEqual([[63]]);
    expect(turns).toBeGreaterThan(10);
  });
});
