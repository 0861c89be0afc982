/** Targets of an attack. */
export interface AttackTarget {
  /** A file that a sandbox must not read or write. */
  readonly file: string;
  /** A port that must not receive connections. */
  readonly port: number;
}

/** Programs that try to escape a sandbox, by target. */
export type Attacks = Readonly<Record<string, readonly ((target: AttackTarget) => string)[]>>;

/** JavaScript programs. */
export const inJavaScript: Attacks = {
  file: [
    ({ file }) => `require("fs").readFileSync(${JSON.stringify(file)},"utf8")`,
    ({ file }) => `import(${JSON.stringify(`file://${file}`)}).then(x=>globalThis.y=x);typeof y`,
    ({ file }) => `std.loadFile(${JSON.stringify(file)})`,
    ({ file }) => `os.open(${JSON.stringify(file)},0)`,
    ({ file }) => `new Function("return this")().process.binding("fs").readFileUtf8(${JSON.stringify(file)})`,
  ],
  network: [
    ({ port }) => `fetch("http://127.0.0.1:${port}/")`,
    ({ port }) => `new WebSocket("ws://127.0.0.1:${port}/")`,
    ({ port }) => `importScripts("http://127.0.0.1:${port}/x.js")`,
    ({ port }) => `import("http://127.0.0.1:${port}/x.js");1`,
  ],
  process: [
    () => "process.exit(3)",
    () => "globalThis.constructor.constructor('return process')().exit(3)",
    () => "(()=>{}).constructor('return process')().kill(process.pid)",
    () => "os.exec(['sh','-c','kill $PPID'])",
    () =>
      "this.constructor.constructor('return globalThis')().process.mainModule.require('child_process').execSync('id')",
    () => "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)),0,0)",
  ],
  prototype: [
    () => 'Object.prototype.polluted=1;JSON.parse(\'{"__proto__":{"polluted":1}}\')',
    () => "Object.defineProperty(Object.prototype,'toJSON',{get(){return ()=>'x'}});({a:1})",
    () => "JSON.stringify=()=>'\"x\"';Array.prototype.map=()=>1;({a:1})",
    () => "({get a(){return this.constructor.constructor('return this')()}})",
    () => "throw new Proxy({},{get(){throw new Proxy({},{get(){throw 1}})}})",
  ],
  memory: [
    () => "const a=[];for(;;)a.push(new Array(1e5).fill(1))",
    () => "'x'.repeat(2**29)",
    () => "const m=new Map();for(let i=0;;i++)m.set(i,'x'.repeat(1000)+i)",
    () => "new ArrayBuffer(2**40)",
    () => "let s='x';for(;;)s+=s",
    () => "function f(){f()}f()",
  ],
  time: [
    () => "for(;;);",
    () => "/(a+)+$/.test('a'.repeat(60)+'!')",
    () => "[].sort.call({length:1e9})",
    () => "while(1)try{throw 1}catch{}",
    () => "({toJSON(){for(;;);}})",
  ],
};

/** Python programs. */
export const inPython: Attacks = {
  file: [
    ({ file }) => `open(${JSON.stringify(file)}).read()`,
    ({ file }) => `import os\nos.listdir(os.path.dirname(${JSON.stringify(file)}))`,
    ({ file }) => `import pathlib\npathlib.Path(${JSON.stringify(file)}).write_text("x")`,
    ({ file }) =>
      `import sys\ndel sys.modules["js"]\nimport js\njs.require("fs").readFileSync(${JSON.stringify(file)})`,
  ],
  network: [
    ({ port }) => `import socket\nsocket.create_connection(("127.0.0.1",${port}))`,
    ({ port }) => `import urllib.request\nurllib.request.urlopen("http://127.0.0.1:${port}/").read()`,
    ({ port }) => `from pyodide.http import open_url\nopen_url("http://127.0.0.1:${port}/")`,
  ],
  process: [
    () => "import os\nos.system('kill $PPID')",
    () => "import subprocess\nsubprocess.run(['id'])",
    () => "import ctypes\nctypes.CDLL(None).exit(3)",
    () => "import os\nos._exit(3)",
    () => "import sys\ndel sys.modules['pyodide_js']\nimport pyodide_js\npyodide_js._module",
  ],
  prototype: [
    () => "import builtins,json\nbuiltins.print=json.dumps=None\n1",
    () => "import sys\nsys.stdout=None\nprint('x')",
  ],
  memory: [
    () => "[0]*10**9",
    () => "'x'*10**10",
    () => "a=[]\nwhile True: a.append('x'*10**6)",
    () => "def f(): f()\nf()",
  ],
  time: [() => "while True: pass", () => "9**9**9", () => "import re\nre.match('(a+)+$','a'*60+'!')"],
};

/** SQL programs. */
export const inSql: Attacks = {
  file: [
    ({ file }) => `ATTACH DATABASE '${file}' AS x`,
    ({ file }) => `SELECT readfile('${file}')`,
    ({ file }) => `SELECT writefile('${file}','x')`,
    ({ file }) => `WITH x AS (SELECT 1) SELECT load_extension('${file}') FROM x`,
    ({ file }) => `SELECT 1; ATTACH '${file}' AS y; CREATE TABLE y.t(a)`,
    ({ file }) => `VACUUM INTO '${file}'`,
  ],
  process: [
    () => "SELECT edit('x','id')",
    () => "PRAGMA writable_schema=1",
    () => "SELECT fts3_tokenizer('x',x'00')",
  ],
  memory: [
    () => "SELECT zeroblob(2147483647)",
    () => "SELECT randomblob(1000000000)",
    () => "SELECT hex(zeroblob(500000000))",
    () => "WITH RECURSIVE a(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM a) SELECT group_concat(x) FROM a",
  ],
  time: [
    () => "WITH RECURSIVE a(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM a) SELECT count(*) FROM a",
    () => "SELECT count(*) FROM t a,t b,t c,t d,t e,t f,t g,t h,t i,t j,t k,t l,t m",
    () => "SELECT 'a' LIKE replace(hex(zeroblob(30000)),'00','%a')",
  ],
};

/** Programs for the solver, which is WebAssembly. */
export const inLinearPrograms: Attacks = {
  memory: [
    () =>
      `Maximize\n o: ${Array.from({ length: 900 }, (_, i) => `${i + 1} x${i}`).join(" + ")}\nSubject To\n a: x0 <= 1\nEnd`,
    () => `Maximize\n o: ${"x".repeat(15_000)}\nSubject To\n a: y <= 1\nEnd`,
  ],
  time: [
    () => {
      const sum = (k: number) =>
        Array.from({ length: 40 }, (_, i) => `${50 + ((i * k * 104_729 + i * 31) % 89)} x${i}`).join(" + ");
      const rows = Array.from({ length: 10 }, (_, k) => ` c${k}: ${sum(k + 1)} <= 900`).join("\n");
      return `Maximize\n o: ${sum(7)}\nSubject To\n${rows}\nBinary\n ${Array.from({ length: 40 }, (_, i) => `x${i}`).join(" ")}\nEnd`;
    },
  ],
  file: [({ file }) => `\\ ${file}\nMaximize\n include ${file}\nEnd`, ({ file }) => file],
};
