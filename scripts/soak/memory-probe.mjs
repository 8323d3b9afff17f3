// Loaded into the gateway (--import, with --expose-gc): at SIGUSR2 it tells what is held once nothing can be collected any more.
process.on('SIGUSR2', () => {
  globalThis.gc();
  globalThis.gc();
  const { rss, heapUsed } = process.memoryUsage();
  process.stderr.write(`${JSON.stringify({ probe: true, rss, heapUsed })}\n`);
});
