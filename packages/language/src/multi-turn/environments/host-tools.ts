import { tool } from "../../tools/tool.ts";

/** A host of a fictional network. */
export interface Host {
  readonly name: string;
  /** The user that it accepts. */
  readonly user: string;
  readonly password: number;
  /** Contents of its files: `p47` is a user's password, `=52` the flag, `-` nothing. */
  readonly files: { readonly [name: string]: string };
}

/** A fictional network with a flag. */
export interface Network {
  /** The player starts at the first. */
  readonly hosts: readonly Host[];
  /** Hosts on the way to the flag, in order. */
  readonly way: readonly string[];
  readonly flag: string;
  readonly most: number;
}

/** State of a game. */
export interface Game {
  readonly network: Network;
  at: string;
  /** Answered calls and their results. */
  readonly known: { tool: string; host: string; file?: string; answer: string }[];
  /** Whether a wrong password has locked the network. */
  shut: boolean;
  calls: number;
}

/** A host by its name. */
export const hostOf = ({ network }: Game, name: string) => network.hosts.find((host) => host.name === name);
/** The names of a host's files. */
export const filesOf = ({ files }: Host) => Object.keys(files).join("");

/** The result where there is nothing, or after the network is locked. */
export const nothing = "no";

/** Counts a call and returns whether it is still answered. */
const answers = (game: Game) => game.calls++ < game.network.most && !game.shut;

/** The tools of the network: scan, log in, read. */
export const hostTools = [
  tool<{ host: string }, Game>({
    name: "scan",
    about: "Returns the user that a host admits.",
    parameters: { type: "object", properties: { host: { type: "string" } }, required: ["host"] },
    run({ host: name }, { state }) {
      const host = hostOf(state, name);
      if (!answers(state) || !host) return nothing;
      state.known.push({ tool: "scan", host: name, answer: host.user });
      return host.user;
    },
  }),
  tool<{ entry: string }, Game>({
    name: "login",
    about:
      "Logs in to a host by its password: c,47. Returns its files. A wrong password closes the whole network.",
    parameters: { type: "object", properties: { entry: { type: "string" } }, required: ["entry"] },
    run({ entry }, { state }) {
      const [, name = "", password = ""] = /^(\w),(\d\d)$/.exec(entry) ?? [];
      const host = hostOf(state, name);
      if (!answers(state) || !host) return nothing;
      if (String(host.password) !== password) {
        state.shut = true;
        return nothing;
      }
      state.at = name;
      state.known.push({ tool: "login", host: name, answer: filesOf(host) });
      return filesOf(host);
    },
  }),
  tool<{ file: string }, Game>({
    name: "read",
    about: "Reads a file of the current host.",
    parameters: { type: "object", properties: { file: { type: "string" } }, required: ["file"] },
    run({ file }, { state }) {
      const { files } = hostOf(state, state.at)!;
      if (!answers(state) || !Object.hasOwn(files, file)) return nothing;
      state.known.push({ tool: "read", host: state.at, file, answer: files[file] });
      return files[file];
    },
  }),
];
