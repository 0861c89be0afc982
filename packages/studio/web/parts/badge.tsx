/** A state as a word with a colour; `count` says of how many runs. */
export const Badge = ({ state, count }: { state: string; count?: number }) => (
  <span class={`badge ${state}`}>{count === undefined ? state : `${count} ${state}`}</span>
);
