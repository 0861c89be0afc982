import { Popover } from "../../parts/popover.tsx";

/** Examples of queries, and what they find. */
const examples: readonly (readonly [query: string, finds: string])[] = [
  ["CartPole ppo", "both words, in name, algorithm, environment, flags, tags or note"],
  ["learningRate=3e-4", "a setting; learning-rate works too"],
  ["return>10 steps>=100k", "numbers, also with k and M"],
  ["policy/kl<0.02", "the last value of a metric"],
  ["env=CartPole-v1", "exact match"],
  ["env:Cart", "substring"],
  ["tag:best -tag:old", "a tag; a dash excludes"],
  ["-crashed", "without this text"],
  ['note:"two words"', "a text with spaces"],
  ["created>2026-01-31", "a date"],
];

/** The filter input, with its errors and a help panel. */
export function FilterBox(props: {
  id: string;
  value: string;
  errors: readonly string[];
  change(text: string): void;
}) {
  const { id, value, errors, change } = props;
  return (
    <div class="filter">
      <div class="row">
        <input
          type="search"
          placeholder="Filter: env=CartPole-v1 return>10"
          aria-label="Filter runs"
          aria-invalid={errors.length > 0}
          aria-describedby={errors.length > 0 ? `${id}-errors` : undefined}
          spellcheck={false}
          value={value}
          onInput={(e) => change(e.currentTarget.value)}
        />
        <Popover id={`${id}-help`} label="?" title="Filter runs">
          <table>
            <tbody>
              {examples.map(([query, finds]) => (
                <tr key={query}>
                  <th scope="row">
                    <code>{query}</code>
                  </th>
                  <td>{finds}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <p class="soft">
            Operators: = != &gt; &gt;= &lt; &lt;= and : for a substring. All conditions must hold. A run
            without the setting or metric does not match.
          </p>
        </Popover>
      </div>
      {errors.length > 0 && (
        <p id={`${id}-errors`} class="problem" role="alert">
          {errors.join(" ")}
        </p>
      )}
    </div>
  );
}
