import { CommandFailure } from './output.ts';

interface SystemError extends Error {
  readonly code: string;
  readonly address?: string;
  readonly port?: number;
}

/** What went wrong at a start and what to do about it, in words. */
export function explain(error: unknown, sandboxPort: number): string {
  if (!(error instanceof Error)) return 'Something that is no error was thrown.';
  if (error instanceof CommandFailure || !isSystemError(error)) return error.message;
  const setting = error.port === sandboxPort ? 'SANDBOX_PORT' : 'PORT';
  switch (error.code) {
    case 'EADDRINUSE':
      return `Port ${error.port} of ${error.address} is taken. Stop what listens there, or set ${setting} to another.`;
    case 'EACCES':
      return error.port === undefined
        ? `${error.message}. Give this user the right to it, or name another place.`
        : `This user may not listen on port ${error.port}. Set ${setting} to one above 1023.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return 'HOST is no address of this machine. Set it to one that is, or to 0.0.0.0 for all.';
    default:
      return error.message;
  }
}

function isSystemError(error: Error): error is SystemError {
  return 'code' in error && typeof error.code === 'string';
}
