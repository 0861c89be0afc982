import { env, test, train } from "./sources.ts";

/** Options of a new project. */
export interface ProjectOptions {
  readonly name: string;
  /** The dependency on Reins: a version range, or `file:` and a folder. */
  readonly reins: string;
}

const tsconfig = {
  compilerOptions: {
    target: "es2022",
    lib: ["es2022", "dom"],
    module: "nodenext",
    strict: true,
    skipLibCheck: true,
    verbatimModuleSyntax: true,
    rewriteRelativeImportExtensions: true,
    types: ["node"],
    rootDir: "src",
    outDir: "dist",
  },
  include: ["src"],
};

const manifest = ({ name, reins }: ProjectOptions) => ({
  name,
  version: "0.1.0",
  private: true,
  type: "module",
  engines: { node: ">=20.19" },
  scripts: {
    build: "tsc",
    test: "tsc && node --test dist/env.test.js",
    train: "tsc && node dist/train.js",
  },
  dependencies: { reins },
  devDependencies: { "@types/node": "^20.19.0", typescript: "^7.0.2" },
});

const readme = (name: string) => `# ${name}

A custom environment and an agent trained with Reins.

    npm install
    npm test             # checks the environment
    npm run train        # trains, evaluates, and writes act.js
    npx reins runs plot  # the learning curve; the next command shows the agent
    npx reins watch --env ./dist/env.js

| file | content |
| --- | --- |
| \`src/env.ts\` | the environment: replace it with your own |
| \`src/env.test.ts\` | tests of the environment |
| \`src/train.ts\` | algorithm, settings and seed; the run is saved in \`runs/\` |
| \`act.js\` | the trained agent, without imports: \`import { act } from "./act.js"\` |
`;

/** The files of a new project, by their paths in it. */
export function projectFiles(options: ProjectOptions): { readonly [path: string]: string } {
  const json = (value: object) => `${JSON.stringify(value, null, 2)}\n`;
  return {
    "package.json": json(manifest(options)),
    "tsconfig.json": json(tsconfig),
    ".gitignore": "node_modules\ndist\nruns\nact.js\nact.d.ts\n",
    "README.md": readme(options.name),
    "src/env.ts": env,
    "src/env.test.ts": test,
    "src/train.ts": train,
  };
}
