/** Preloaded into measured processes: their own timing then counts CPU time, which other processes affect less. */
performance.now = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e3;
};
