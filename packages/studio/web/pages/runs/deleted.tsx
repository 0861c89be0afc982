import { send } from "../../api.ts";

/** Deleted runs, which can be brought back. */
export function Deleted(props: {
  names: readonly string[];
  restore(names: readonly string[]): void;
  doing(action: () => Promise<unknown>): void;
}) {
  return (
    <details style={{ marginTop: "16px" }}>
      <summary class="soft">{props.names.length} deleted</summary>
      <ul>
        {props.names.map((name) => (
          <li key={name} class="row">
            {name}
            <button type="button" class="plain" onClick={() => props.restore([name])}>
              Bring back
            </button>
            <button
              type="button"
              class="plain danger"
              onClick={() =>
                confirm(`Delete ${name} for good? Its curves, agents and checkpoints are lost.`) &&
                props.doing(() => send("DELETE", `deleted/${encodeURIComponent(name)}`))
              }
            >
              Delete for good
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}
