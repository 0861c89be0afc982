import { send } from "../../api.ts";

/** Deleted runs, which can be restored. */
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
                confirm(`Delete ${name} permanently? Its metrics, agents and checkpoints are lost.`) &&
                props.doing(() => send("DELETE", `deleted/${encodeURIComponent(name)}`))
              }
            >
              Delete permanently
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}
