import { describe, expect, it } from "vitest";
import { OutOfTime, within } from "../time-limit.ts";
import { type JavaScriptLimits, javascript } from "./javascript.ts";
import { jsonSchema } from "./json-schema.ts";
import { linearProgram } from "./linear-program.ts";
import { python } from "./python.ts";
import { outOfMemory } from "./python-process.ts";

/** Little time for endless programs, enough for all others on a busy machine. */
const patient = { milliseconds: 20_000 };
const hurried = { milliseconds: 300 };

describe("within", () => {
  it("returns and throws like the work", () => {
    expect(within(1000, () => 7)).toBe(7);
    expect(() =>
      within(1000, () => {
        throw new TypeError("no");
      }),
    ).toThrow(TypeError);
  });

  it("interrupts loops and regular expressions, and works again afterwards", () => {
    expect(() =>
      within(30, () => {
        for (;;);
      }),
    ).toThrow(OutOfTime);
    expect(() => within(30, () => /^(a+)+$/.test(`${"a".repeat(50)}!`))).toThrow(OutOfTime);
    expect(within(1000, () => within(1000, () => 1))).toBe(1);
  });
});

describe("javascript", () => {
  const [sandbox, quick] = [javascript(patient), javascript(hurried)];
  const run = (code: string) => sandbox.run({ code });

  it("returns the value of the last expression", async () => {
    expect(await run("1+1")).toEqual({ status: "ok", value: 2 });
    expect(await run("let s=0;for(let i=0;i<10;i++)s+=i;[s,{a:'x',b:null}]")).toEqual({
      status: "ok",
      value: [45, { a: "x", b: null }],
    });
    expect(await run("undefined")).toEqual({ status: "ok", value: undefined });
    expect((await run("0/0")).value).toBeNaN();
    expect((await run("-1/0")).value).toBe(Number.NEGATIVE_INFINITY);
    expect((await run("")).status).toBe("ok");
  });

  it("calls a function with each list of arguments", async () => {
    const calls = [
      [[3, 1, 2], 1],
      [[], 0],
    ];
    expect(await sandbox.run({ code: "(a,n)=>a.map(x=>x+n).sort()", calls })).toEqual({
      status: "ok",
      value: [[2, 3, 4], []],
    });
    expect((await sandbox.run({ code: "5", calls })).status).toBe("error");
    expect((await sandbox.run({ code: "(a)=>a.none.none", calls })).status).toBe("error");
    expect(await sandbox.run({ code: "x=>x", calls: [[undefined]] })).toEqual({
      status: "ok",
      value: [undefined],
    });
  });

  const hostile: Record<string, readonly string[]> = {
    timeout: [
      "for(;;);",
      "while(1){try{while(1);}catch(e){}finally{}}",
      "/(a+)+b/.test('a'.repeat(40))",
      "({toJSON(){for(;;);}})",
      "new Proxy({},{ownKeys(){for(;;);}})",
      "throw {get message(){for(;;);}}",
      "Object.defineProperty(globalThis,'q',{get(){for(;;);}});q",
      "function*g(){for(;;)yield 1};for(const x of g());",
      "class A{static{for(;;);}}",
      // Loops in native code, which use no ticks.
      "Array.prototype.indexOf.call({length:2**53-1},1)",
      "[].sort.call({length:1e9})",
    ],
    memory: [
      "function f(){return f()+1};f()",
      "const a=[];for(;;)a.push(new Array(1e5).fill(1))",
      "'x'.repeat(1e9)",
      "new Array(1e8).fill(1)",
      "const a=[];a[0]=a;a.flat(Infinity)",
      "JSON.parse('['.repeat(100000))",
      "'x'.repeat(30000)",
      "Array.from({length:20000},(_,i)=>i)",
      `${"(".repeat(9000)}1${")".repeat(9000)}`,
    ],
    error: [
      "throw null",
      "throw undefined",
      "throw 'odd'",
      "throw Symbol()",
      "throw {get message(){throw 1}}",
      "throw new Proxy({},{get(){throw 1}})",
      "throw 1n",
      "1n",
      "Symbol()",
      "()=>1",
      "const o={};o.o=o;o",
      "({get a(){throw 1}})",
      "2n**(10n**7n)",
      "let let",
      "'\\u0000",
      "null.x",
      "process.exit()",
      "require('fs')",
      "fetch('http://localhost')",
      "new Date()",
      "Math.random()",
      "globalThis.constructor.constructor('return process')().exit()",
      "import fs from 'fs'",
    ],
    refused: ["1;".repeat(20_000)],
  };
  for (const [status, programs] of Object.entries(hostile))
    it(`ends in ${status} where required`, async () => {
      const { run: judge } = status === "timeout" ? quick : sandbox;
      for (const code of programs) expect((await judge({ code })).status, code.slice(0, 70)).toBe(status);
      expect(await run("40+2")).toEqual({ status: "ok", value: 42 });
    });

  it("has the language and no host objects", async () => {
    const names = [
      "process",
      "require",
      "fetch",
      "console",
      "Date",
      "setTimeout",
      "std",
      "os",
      "WebAssembly",
      "module",
    ];
    expect((await run(`[${names.map((n) => `typeof ${n}`)}].join()`)).value).toBe(
      names.map(() => "undefined").join(),
    );
    expect((await run("import('fs').then(()=>globalThis.x=1);typeof x")).value).toBe("undefined");
    expect((await run("Object.keys(new Function('return this')())")).value).toEqual([]);
  });

  it("isolates runs", async () => {
    for (const code of [
      "globalThis.leak=1;var leak2=2;let leak3=3;0",
      "Object.prototype.leak=1;Array.prototype.map=()=>9;0",
      "JSON.stringify=()=>'[]';JSON.parse=()=>9;Object.freeze(Object.prototype);0",
      "String.prototype.toString=()=>'x';Symbol.for('leak').description",
      "Promise.resolve().then(()=>{globalThis.leak=1});0",
      "Object.setPrototypeOf(Function.prototype,{leak:1});0",
      "delete globalThis.Array;delete globalThis.eval;0",
      "for(;;)globalThis.leak=1",
      "globalThis.leak=1;(function f(){f()})()",
    ]) {
      await run(code);
      const clean =
        "[typeof leak,typeof leak2,typeof leak3,({}).leak,[1,2].map(x=>x*2),eval('1'),JSON.stringify({a:1})]";
      expect((await run(clean)).value, code).toEqual([
        "undefined",
        "undefined",
        "undefined",
        null,
        [2, 4],
        1,
        '{"a":1}',
      ]);
    }
    expect(({} as { leak?: number }).leak).toBeUndefined();
  });

  it("reports exhausted memory, whatever used it", { timeout: 120_000 }, async () => {
    const large = javascript({ turns: 20_000, steps: 2_000_000_000, milliseconds: 100_000 });
    for (const code of [
      "const m=new Map();for(let i=0;;i++)m.set(i,i)",
      "const m=new Set();for(let i=0;;i++)m.add(i)",
      "const m=new WeakMap(),k=[];for(;;){const o={};k.push(o);m.set(o,1)}",
      "const a=[];for(;;)a.push({})",
      "const g=[];for(;;)g.push(function*(){yield 1}())",
    ])
      expect(await large.run({ code }), code).toMatchObject({ status: "memory" });
    // An error of the program itself stays an error.
    expect((await large.run({ code: "throw {}" })).status).toBe("error");
  });

  it("counts ticks deterministically", async () => {
    const limits: Partial<JavaScriptLimits> = { turns: 5, milliseconds: 5000 };
    const [a, b] = [javascript(limits), javascript(limits)];
    const ends = async (s: typeof a, n: number) => (await s.run({ code: `for(let i=0;i<${n};i++);` })).status;
    let [low, high] = [1, 1_000_000];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((await ends(a, middle)) === "ok") low = middle;
      else high = middle;
    }
    for (let i = 0; i < 3; i++) {
      expect([await ends(a, low), await ends(b, low)]).toEqual(["ok", "ok"]);
      expect([await ends(a, high), await ends(b, high)]).toEqual(["timeout", "timeout"]);
    }
  });

  it("judges concurrent runs independently", async () => {
    const all = await Promise.all(
      ["1", "for(;;);", "Array.prototype.indexOf.call({length:2**53-1},1)", "2", "3"].map((code) =>
        quick.run({ code }),
      ),
    );
    expect(all.map(({ status }) => status)).toEqual(["ok", "timeout", "timeout", "ok", "ok"]);
    expect(all[4].value).toBe(3);
  });
});

describe("json-schema", () => {
  const [sandbox, quick] = [jsonSchema(patient), jsonSchema(hurried)];
  const run = (schema: unknown, data: string, judge = sandbox) =>
    judge.run({ schema: typeof schema === "string" ? schema : JSON.stringify(schema), data });

  it("returns whether a document satisfies a schema", async () => {
    expect(await run({ type: "integer", minimum: 3 }, "3")).toEqual({ status: "ok", value: true });
    expect(await run({ type: "integer", minimum: 3 }, "2")).toEqual({ status: "ok", value: false });
    expect((await run({ multipleOf: 0.1 }, "0.3")).value).toBe(true);
    expect((await run({ dependentRequired: { a: ["b"] } }, '{"a":1}')).value).toBe(false);
    const tree = { type: "array", items: { $ref: "#" } };
    expect((await run(tree, "[[],[[]]]")).value).toBe(true);
    expect((await run(tree, "[[],[1]]")).value).toBe(false);
  });

  it("considers only own properties of a document", async () => {
    const a = '"anyOf":[{"properties":{"a":true}},{"properties":{"b":true}}]';
    const words = '"items":{"type":"string"}';
    const given: [schema: string, data: string, right: boolean | "error"][] = [
      ['{"required":["toString"]}', "{}", false],
      ['{"required":["__proto__"]}', '{"__proto__":{"leak":1}}', true],
      ['{"properties":{"__proto__":{"type":"string"}}}', '{"__proto__":5}', false],
      ['{"properties":{"__proto__":{"type":"string"}}}', '{"__proto__":"5"}', true],
      ['{"properties":{"a":{"properties":{"__proto__":{"type":"string"}}}}}', '{"a":{"__proto__":5}}', false],
      ['{"properties":{"__proto__":true},"additionalProperties":false}', '{"__proto__":5}', true],
      ['{"properties":{"__proto__":true},"additionalProperties":false}', '{"b":5}', false],
      ['{"properties":{"__proto__":true},"unevaluatedProperties":false}', '{"__proto__":5}', true],
      ['{"properties":{"const":{"properties":{"__proto__":false}}}}', '{"const":{"__proto__":5}}', false],
      ['{"patternProperties":{"__proto__":{"type":"string"}}}', '{"__proto__":5}', false],
      ['{"patternProperties":{"__proto__":{"type":"string"}}}', '{"a__proto__b":5}', false],
      [
        '{"properties":{"__proto__":{"minimum":3}},"patternProperties":{"^__proto__$":{"maximum":5}}}',
        '{"__proto__":6}',
        false,
      ],
      ['{"additionalProperties":false}', '{"__proto__":5}', false],
      ['{"properties":{"toString":{"type":"string"}}}', "{}", true],
      ['{"properties":{"hasOwnProperty":{"type":"string"}}}', '{"hasOwnProperty":5}', false],
      ['{"dependentRequired":{"toString":["b"]}}', "{}", true],
      ['{"dependentRequired":{"a":["__proto__"]}}', '{"a":5}', false],
      ['{"dependencies":{"__proto__":["b"]}}', '{"__proto__":5}', "error"],
      ['{"const":{"toString":5}}', '{"toString":5}', true],
      ['{"const":{"toString":5}}', '{"toString":6}', false],
      ['{"const":{"__proto__":5}}', '{"__proto__":5}', true],
      ['{"const":{"__proto__":5}}', '{"__proto__":6}', false],
      ['{"const":{"$ref":"#/nowhere"}}', '{"$ref":"#/nowhere"}', true],
      ['{"enum":[1,{"valueOf":5,"a":1}]}', '{"a":1,"valueOf":5}', true],
      ['{"enum":[1,{"valueOf":5,"a":1}]}', '{"a":2,"valueOf":5}', false],
      ['{"uniqueItems":true}', '[{"toString":5},{"toString":6}]', true],
      ['{"uniqueItems":true}', '[{"a":5,"constructor":6},{"constructor":6,"a":5}]', false],
      ['{"uniqueItems":true}', '[1e400,null,"1",1,true,"true",[1],"[1]",{"a":1},"{}"]', true],
      ['{"uniqueItems":true}', "[0,-0]", false],
      [`{"uniqueItems":true,${words}}`, '["__proto__","a","__proto__"]', false],
      [`{"uniqueItems":true,${words}}`, '["toString","__proto__"]', true],
      [`{"unevaluatedProperties":false,${a}}`, '{"a":5}', true],
      [`{"unevaluatedProperties":false,${a}}`, '{"toString":5}', false],
      [`{"unevaluatedProperties":false,${a}}`, '{"__proto__":5}', false],
      ['{"$ref":"#/$defs/toString","$defs":{"toString":{"type":"string"}}}', "5", false],
      ['{"$ref":"#/$defs/toString","$defs":{}}', "5", "error"],
      ['{"$ref":"#/constructor"}', "5", "error"],
      ['{"__proto__":{"type":"string"}}', "5", true],
      ['{"properties":{"props0 = {}":{"type":"string"}}}', "5", "error"],
    ];
    for (const [schema, data, right] of given) {
      const { status, value } = await run(schema, data);
      expect(status === "ok" ? value : status, `${schema} ${data}`).toBe(right);
    }
    expect(({} as { leak?: number }).leak).toBeUndefined();
  });

  it("ends in an outcome for any input", async () => {
    const deep = "[".repeat(9000) + "]".repeat(9000);
    const doubling: Record<string, object> = { d0: { type: "string" } };
    for (let i = 1; i < 40; i++)
      doubling[`d${i}`] = { anyOf: [{ $ref: `#/$defs/d${i - 1}` }, { $ref: `#/$defs/d${i - 1}` }] };
    const given: [string, unknown, string][] = [
      ["refused", { pattern: "(?=a)" }, '"a"'],
      ["timeout", { $ref: "#/$defs/d39", $defs: doubling }, "1"],
      ["memory", { items: { $ref: "#" }, $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/a" } } }, "1"],
      ["error", { type: "integer" }, "{"],
      ["error", { type: "integer" }, ""],
      ["error", { type: "no such type" }, "1"],
      ["error", { pattern: "(" }, '"a"'],
      ["error", { $ref: "#/nowhere" }, "1"],
      ["error", "[]", "1"],
      ["error", "null", "1"],
      ["error", "{", "1"],
      ["refused", { $ref: "http://localhost/x" }, "1"],
      ["refused", { items: { $ref: "file:///etc/passwd" } }, "1"],
      ["refused", { $schema: "http://localhost/x" }, "1"],
      ["refused", { $id: "x", const: 1 }, "1"],
      ["refused", { const: 1 }, " ".repeat(30_000)],
    ];
    for (const [status, schema, data] of given)
      expect(
        (await run(schema, data, status === "timeout" ? quick : sandbox)).status,
        JSON.stringify(schema).slice(0, 70),
      ).toBe(status);
    expect(["ok", "memory"]).toContain((await run({ items: { $ref: "#" } }, deep)).status);
    expect(await run({ const: 1 }, "1")).toEqual({ status: "ok", value: true });
  });
});

describe("the steps of json-schema", () => {
  it("do not backtrack in patterns", async () => {
    const given = { schema: '{"pattern":"^(a+)+$"}', data: `"${"a".repeat(5000)}!"` };
    expect(await jsonSchema().run(given)).toEqual({ status: "ok", value: false });
  });

  it("are the same on every machine, compiled before or not", async () => {
    const schema = JSON.stringify({
      items: { anyOf: [{ pattern: "^(a|b)*c$" }, { required: ["x"], properties: { x: { type: "null" } } }] },
    });
    const data = (items: number) => JSON.stringify(Array(items).fill("abababac"));
    const fits = async (sandbox: ReturnType<typeof jsonSchema>, items: number) => {
      const { status, value } = await sandbox.run({ schema, data: data(items) });
      return status === "ok" ? value : status;
    };
    const limits = { steps: 20_000, milliseconds: 60_000 };
    const sandbox = jsonSchema(limits);
    let [low, high] = [1, 2000];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((await fits(sandbox, middle)) === true) low = middle;
      else high = middle;
    }
    expect(low).toBeGreaterThan(10);
    for (const fresh of [sandbox, jsonSchema(limits), jsonSchema({ ...limits, milliseconds: 120_000 })])
      expect([await fits(fresh, low), await fits(fresh, high)]).toEqual([true, "timeout"]);
  });
});

describe("linear-program", () => {
  const [sandbox, quick] = [linearProgram(patient), linearProgram(hurried)];

  it("solves linear and integer programs", async () => {
    const program = "Maximize\n o: 3 x + 2 y\nSubject To\n a: x + y <= 4\n b: 2 x <= 5\n";
    expect((await sandbox.run(`${program}End`)).value).toEqual({
      kind: "optimal",
      objective: 10.5,
      values: { x: 2.5, y: 1.5 },
    });
    expect((await sandbox.run(`${program}General\n x y\nEnd`)).value).toEqual({
      kind: "optimal",
      objective: 10,
      values: { x: 2, y: 2 },
    });
    expect((await sandbox.run("Maximize\n o: x\nSubject To\n a: x >= 4\nEnd")).value?.kind).toBe("unbounded");
    expect((await sandbox.run("Maximize\n o: x\nSubject To\n a: x >= 4\n b: x <= 3\nEnd")).value?.kind).toBe(
      "infeasible",
    );
  });

  it("ends in an outcome for any input", async () => {
    const n = 60;
    const sum = (factor: (i: number) => number) =>
      Array.from({ length: n }, (_, i) => `${factor(i)} x${i}`).join(" + ");
    const rows = Array.from(
      { length: 30 },
      (_, k) => ` c${k}: ${sum((i) => 50 + ((i * k * 104729 + i * 31) % 89))} <= 1500`,
    );
    const names = Array.from({ length: n }, (_, i) => `x${i}`).join(" ");
    const hard = `Maximize\n o: ${sum((i) => 100 + ((i * 7919) % 97))}\nSubject To\n${rows.join("\n")}\nBinary\n ${names}\nEnd`;
    expect((await quick.run(hard)).status).toBe("timeout");
    for (const junk of [
      "",
      "junk",
      "Maximize",
      "x".repeat(10_000),
      "Maximize\n o: 1e400 x\nSubject To\n a: x <= 3\nEnd",
    ])
      expect(["error", "ok"], junk.slice(0, 40)).toContain((await sandbox.run(junk)).status);
    expect((await sandbox.run("x ".repeat(20_000))).status).toBe("refused");
    expect((await sandbox.run("Minimize\n o: x\nSubject To\n a: x >= 4\nEnd")).value).toMatchObject({
      objective: 4,
    });
  });
});

describe("python", () => {
  const installed = (() => {
    try {
      python();
      return true;
    } catch {
      return false;
    }
  })();

  it.skipIf(installed)("names the package to install", () => {
    expect(() => python()).toThrow("Pyodide is not installed. Run: npm install pyodide");
  });

  it.skipIf(!installed)("runs programs in a process without the host", async () => {
    const sandbox = python({ steps: 50_000_000 });
    const run = (code: string) => sandbox.run(code);
    expect(await run("print('hi')\n[1,{'a':2}]")).toEqual({
      status: "ok",
      value: { value: [1, { a: 2 }], output: "hi\n" },
    });
    const given = [
      ["import js", "error"],
      ["import os;os.listdir('/etc')", "error"],
      ["[0]*10**9", "memory"],
      ["def f(): f()\nf()", "memory"],
      ["print('x'*10**5)", "memory"],
      ["while True: pass", "timeout"],
      ["9**9**9", "timeout"],
      // Nothing of this affects the next run.
      [
        "import builtins,json,sys;builtins.len=json.dumps=sys.modules['math']=None;open('x','w').write('y');1",
        "ok",
      ],
      ["import os,math;assert len('ab')==2 and not os.path.exists('x')", "ok"],
    ];
    const found = await Promise.all(given.map(([code]) => run(code)));
    expect(found.map(({ status }) => status)).toEqual(given.map(([, status]) => status));
  });

  it.skipIf(!installed)(
    "has no way to JavaScript, also when modules are imported again",
    { timeout: 120_000 },
    async () => {
      const sandbox = python();
      const again =
        "import sys\nfor m in list(sys.modules):\n  if sys.modules[m] is None: del sys.modules[m]\n";
      for (const code of [
        "import pyodide_js",
        "import sys\ndel sys.modules['pyodide_js']\nimport pyodide_js",
        "import sys\ndel sys.modules['js']\nimport js",
        `${again}import js`,
        `${again}import pyodide_js._api`,
        `${again}from pyodide.code import run_js\nrun_js('1')`,
        "import sys\n[f for f in sys.meta_path if 'Js' in type(f).__name__][0]",
        "import gc\n[o.jsproxy for o in gc.get_objects() if type(o).__name__=='JsLoader'][0].mountNodeFS",
        "import gc\n[v for o in gc.get_objects() if type(o) is dict for v in list(o.values()) if type(v).__name__=='JsProxy'][0]",
      ])
        expect((await sandbox.run(code)).status, code).toBe("error");
    },
  );

  it.skipIf(!installed)(
    "that fills memory through objects of JavaScript is out of memory",
    { timeout: 240_000 },
    async () => {
      const sandbox = python();
      // Objects without an import can still be found among all live objects.
      const bridge =
        "import gc\nto_js=[o['to_js'] for o in gc.get_objects() if isinstance(o,dict) and type(o.get('to_js')).__name__=='builtin_function_or_method'][0]\n";
      const code = `${bridge}to_js([1]).constructor.new(2**32)`;
      expect((await sandbox.run(code)).status).toBe("memory");
    },
  );

  it.each([
    ["MemoryError", true],
    ["pyodide.ffi.JsException: RangeError: Map maximum size exceeded", true],
    ["pyodide.ffi.JsException: RangeError: Set maximum size exceeded", true],
    ["pyodide.ffi.JsException: RangeError: Array buffer allocation failed", true],
    ["RangeError: Maximum call stack size exceeded", true],
    ["ValueError: too large", false],
    ["IndexError: list index out of range", false],
  ])("%s is out of memory: %s", (message, isFull) => {
    expect(outOfMemory.test(message)).toBe(isFull);
  });

  it.skipIf(!installed)("is deterministic", async () => {
    const code =
      "import random,time,os\n[random.random(),time.time(),os.urandom(4).hex(),str({'a','b','cd'}),time.sleep(3),id([])]";
    const [a, b] = [await python().run(code), await python().run(code)];
    expect(a.status).toBe("ok");
    expect(b).toEqual(a);
  });
});
