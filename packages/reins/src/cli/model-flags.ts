import { algorithms } from "@reins/algorithms";

/** Short forms of flags of language models. */
const short: { readonly [flag: string]: string } = {
  "--model": "--env-folder",
  "--lora": "--env-lora",
  "--teacher": "--env-teacher",
};

/** Writes out `--model FOLDER` and `--lora N`, unless the algorithm has a setting of that name. */
export function withModelFlags(args: readonly string[]): readonly string[] {
  const own = args.flatMap((a) => (Object.hasOwn(algorithms, a) ? [algorithms[a].definition.options] : []));
  return args.map((argument) => {
    const [flag] = argument.split("=", 1);
    if (!Object.hasOwn(short, flag) || own.some((options) => flag.slice(2) in options)) return argument;
    return short[flag] + argument.slice(flag.length);
  });
}
