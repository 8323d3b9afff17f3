/** Milliseconds of this process's CPU that the work took: time on the clock would be that of the machine's other work, too. */
export function cpuTimeOf(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
