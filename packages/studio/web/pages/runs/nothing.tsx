/** What to do where there are no runs yet. */
export const Nothing = ({ root }: { root: string }) => (
  <div class="empty">
    <h2>There are no runs yet</h2>
    <p>Train something, and it appears here by itself:</p>
    <pre>reins train ppo CartPole-v1</pre>
    <p>
      Looking in <code>{root}</code>
    </p>
  </div>
);
