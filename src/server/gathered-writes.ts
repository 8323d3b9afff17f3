let waiting: (() => void)[] = [];

/**
 * Does a write to a socket when this turn of the event loop has handled what came in, right after those of all others. A
 * write wakes its reader, which goes to sleep again until the next one comes: to wake it once for all costs a small query
 * half the time. A write that is alone waits for nothing.
 */
export function writeWithOthers(write: () => void): void {
  if (waiting.push(write) === 1) setImmediate(writeAll);
}

function writeAll(): void {
  const writes = waiting;
  waiting = [];
  for (const write of writes) write();
}
