/** The lines of a delivery's stored request. @throws Error when it is not one of ours. */
export function linesOfBody(body: string): readonly string[] {
  const parsed: unknown = JSON.parse(body);
  if (typeof parsed === 'object' && parsed !== null && 'accounts' in parsed) {
    const { accounts } = parsed;
    if (Array.isArray(accounts) && accounts.every((line) => typeof line === 'string')) return accounts;
  }
  throw new Error('a stored delivery is not a request of ours');
}
