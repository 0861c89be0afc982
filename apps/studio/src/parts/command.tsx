/** A command line. It wraps between its words only, so that flags are not broken at their hyphens. */
export const Command = ({ text }: { text: string }) => (
  <pre class="command">
    {text.split(" ").map((word, i) => [i === 0 ? "" : " ", <span key={i}>{word}</span>])}
  </pre>
);
