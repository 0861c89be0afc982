/** How something stands, as a word with a colour. */
export const Badge = ({ state }: { state: string }) => <span class={`badge ${state}`}>{state}</span>;
