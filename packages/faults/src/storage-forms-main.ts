/** The forms of `storage-forms.ts` as a command line, with the error reporting of the command line. */
import { formNames, readForm, trainForm } from "./storage-forms.ts";
import { askStudio } from "./studio-requests.ts";

type Output = { write(text: string): unknown };

/** Runs `<form> <directory> [seed]`, `read <directory>` or `studio <folder> <run>`. */
export async function main(
  [form, path, seed = "5"]: readonly string[],
  io: { readonly out: Output; readonly err: Output },
): Promise<number> {
  try {
    if (form === "studio") {
      const failures = await askStudio(path, seed);
      io.err.write(failures);
      return failures ? 1 : 0;
    }
    const known = formNames.find((name) => name === form);
    if (!known && form !== "read") throw new Error(`Unknown form ${form}.`);
    io.out.write(`${known ? trainForm(known, path, Number(seed)) : readForm(path)}\n`);
    return 0;
  } catch (error) {
    const { name, message, stack, code } = error as NodeJS.ErrnoException;
    // A system error counts as named if it also names the file.
    const named = ["ReinsError", "TensorError", "NnError"].includes(name) || (code && /'.+'/.test(message));
    io.err.write(`own: ${named ? message : stack}\n`);
    return 1;
  }
}

if (process.argv[1]?.endsWith("storage-forms-main.js"))
  process.exitCode = await main(process.argv.slice(2), { out: process.stdout, err: process.stderr });
