/**
 * An error of the system's under the name of the setting that it comes from: its words alone ("connect ECONNREFUSED") do not
 * tell which neighbour is meant, and its code would be taken for one of the address to listen on.
 */
export function named(setting: string, error: unknown): unknown {
  return error instanceof Error && 'code' in error
    ? new Error(`${setting}: ${error.message}`, { cause: error })
    : error;
}
