import { tool } from "../tools/tool.ts";

/** A host of a made-up network. */
export interface Host {
  readonly name: string;
  /** Whom it lets in. */
  readonly user: string;
  readonly password: number;
  /** What its files say: `p47` is a password of a user's, `=52` the flag, `-` nothing. */
  readonly files: { readonly [name: string]: string };
}

/** A made-up network with a flag. */
export interface Network {
  /** The first is where one is in the beginning. */
  readonly hosts: readonly Host[];
  /** Hosts that lead to the flag, one after another. */
  readonly way: readonly string[];
  readonly flag: string;
  readonly most: number;
}

/** What has come of it so far. */
export interface Game {
  readonly network: Network;
  at: string;
  /** Calls that were answered, and their answers. */
  readonly known: { tool: string; host: string; file?: string; answer: string }[];
  /** Whether a wrong password has shut all. */
  shut: boolean;
  calls: number;
}

/** A host by its name. */
export const hostOf = ({ network }: Game, name: string) => network.hosts.find((host) => host.name === name);
/** The names of a host's files. */
export const filesOf = ({ files }: Host) => Object.keys(files).join("");

/** What is answered where there is nothing, or nothing any more. */
export const nothing = "no";

/** Counts a call, and says whether it is still answered. */
const answers = (game: Game) => game.calls++ < game.network.most && !game.shut;

/** What one can do in the network: scan, log in, read. */
export const hostTools = [
  tool<{ host: string }, Game>({
    name: "scan",
    about: "Tells which user a host lets in.",
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
    about: "Goes to a host by its password: c,47. Tells its files. A wrong password shuts the whole network.",
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
    about: "Reads a file of the host where one is.",
    parameters: { type: "object", properties: { file: { type: "string" } }, required: ["file"] },
    run({ file }, { state }) {
      const { files } = hostOf(state, state.at)!;
      if (!answers(state) || !Object.hasOwn(files, file)) return nothing;
      state.known.push({ tool: "read", host: state.at, file, answer: files[file] });
      return files[file];
    },
  }),
];
