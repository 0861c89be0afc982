import type { Generator } from "@reins/core/random";
import { between, many, some } from "../../tasks/random.ts";
import { type ConversationState, type Problem, textTask } from "../../tasks/text-task.ts";
import { filesOf, type Game, hostOf, hostTools, type Network, nothing } from "./host-tools.ts";
import { novice } from "./novice.ts";

const hostNames = "bcdef";
const userNames = "pqrstuv";
const fileNames = "xyz";

/** Number of hosts besides the first, logins on the way to the flag, files per host, and turns. */
const sizes = [
  [2, 1, 1, 8],
  [3, 2, 1, 12],
  [4, 2, 2, 18],
  [5, 3, 2, 24],
] as const;

/** Entered hosts on the way to the flag. */
const entered = ({ network, known }: Game): string[] =>
  network.way.filter((name) => known.some(({ tool, host }) => tool === "login" && host === name));

/** Contents of the files read. */
const found = ({ known }: Game): string[] => known.filter(({ tool }) => tool === "read").map((k) => k.answer);

/** An unread file of this host. */
const unread = (game: Game): string | undefined =>
  [...filesOf(hostOf(game, game.at)!)].find(
    (name) => !game.known.some(({ host, file }) => host === game.at && file === name),
  );

/**
 * A policy with perfect memory and no hidden information: read everything here, then log in where a user is known, or
 * scan.
 */
function wise(game: Game): string {
  const flag = found(game).find((text) => text.startsWith("="));
  const file = unread(game);
  if (flag || game.shut) return flag?.slice(1) ?? nothing;
  if (file) return `read(${file})`;
  const { known, network } = game;
  const went = (name: string) => known.some(({ tool, host }) => tool === "login" && host === name);
  for (const { host, answer } of known.filter(({ tool, host }) => tool === "scan" && !went(host))) {
    const password = found(game).find((text) => text.startsWith(answer));
    if (password) return `login(${host},${password.slice(1)})`;
  }
  const next = network.hosts.find(
    ({ name }, i) => i > 0 && !known.some((k) => k.tool === "scan" && k.host === name),
  );
  return next ? `scan(${next.name})` : nothing;
}

const expert = (_: Problem<Network>, { state }: ConversationState<Game>): string => wise(state);

const chance = (
  { data: { hosts } }: Problem<Network>,
  _: ConversationState<Game>,
  random: Generator,
): string => {
  const { name } = random.choice(hosts.slice(1));
  const number = between(random, 10, 99);
  return random.choice([
    `scan(${name})`,
    `read(${random.choice(fileNames)})`,
    `login(${name},${number})`,
    `${number}`,
  ]);
};

/**
 * A fictional network with a hidden flag. `a:x bc` means that the player is at host a, which has a file x, and that
 * there are hosts b and c. `read(x)` reads a file: `p47` is user p's password, `=52` the flag. `scan(b)` returns the
 * user of host b, `login(b,47)` goes there and returns its files. A wrong password locks the network. The flag is the
 * answer: `52`.
 */
export const hostNetwork = textTask<Network, Game>({
  id: "host-network",
  about: "Find a flag in a made-up network: scan hosts, log in with passwords found on others, read files.",
  levels: sizes.length,
  alphabet: "abcdefgilnopqrstuvxyz(),:=- 0123456789",
  longest: { prompt: 10, answer: 11, conversation: 390 },
  make(random, level) {
    const [count, logins, size, most] = sizes[level - 1];
    const names = ["a", ...hostNames.slice(0, count)];
    const users = some(random, count + 1, userNames);
    const passwords = some(
      random,
      count + 1,
      many(90, (i) => 10 + i),
    );
    const way = some(random, logins, names.slice(1));
    const flag = `${between(random, 10, 99)}`;
    const entry = (name: string) => `${users[names.indexOf(name)]}${passwords[names.indexOf(name)]}`;
    // Distractors: nothing, or the password of a dead-end host.
    const aside = names.slice(1).filter((name) => !way.includes(name));
    const useless = () => (aside.length && random.chance(0.5) ? entry(random.choice(aside)) : "-");
    const hosts = names.map((name, i) => {
      const place = name === "a" ? 0 : way.indexOf(name) + 1;
      const leads = name === "a" || place > 0;
      const useful = leads ? (place === logins ? `=${flag}` : entry(way[place])) : "-";
      const at = random.integers(size);
      const files = many(size, (k) => [fileNames[k], k === at ? useful : useless()] as const);
      return { name, user: users[i], password: passwords[i], files: Object.fromEntries(files) };
    });
    const data = { hosts, way, flag, most };
    return {
      prompt: `a:${filesOf(hosts[0])} ${hostNames.slice(0, count)}`,
      key: JSON.stringify(data),
      answer: flag,
      data,
    };
  },
  /** Hosts on the way to the flag score up to a half. */
  verify({ data: { flag, way } }, answer, conversation) {
    if (answer.trim() === flag) return { score: 1, wellFormed: true };
    const part = conversation ? entered(conversation.state).length / way.length : 0;
    return {
      score: part / 2,
      wellFormed: /^\s*\d\d\s*$/.test(answer),
      terms: { way: part },
      why: `The flag is ${flag}; hosts on the way to it count for half.`,
    };
  },
  episode: {
    turns: 25,
    tools: hostTools,
    begin: ({ data }) => ({ network: data, at: "a", known: [], shut: false, calls: 0 }),
    players: {
      expert,
      random: chance,
      novice: novice(expert, chance, 0.1),
      /** Reads all files here, and tries the newest password at the first untried host: it never scans. */
      fixed(_, { state }) {
        const read = found(state);
        const flag = read.find((text) => text.startsWith("="));
        const file = unread(state);
        if (flag || state.shut) return flag?.slice(1) ?? nothing;
        if (file) return `read(${file})`;
        const newest = read.reverse().find((text) => text !== "-");
        const next = state.network.hosts
          .slice(1)
          .find(({ name }) => !state.known.some(({ host }) => host === name));
        return newest && next ? `login(${next.name},${newest.slice(1)})` : nothing;
      },
    },
  },
});
