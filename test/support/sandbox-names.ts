// Apart from the sandbox itself, so that a test that only signs like it need not load it.
export const SANDBOX_ORIGIN = 'http://127.0.0.1:4010';
export const SANDBOX_TOKEN = 'sandbox-token';
export const SANDBOX_SECRET = 'sandbox-secret';
export const SANDBOX_KEY = 'sandbox-key';
/** What the simulated provider's catalog follows from. */
export const SANDBOX_SEED = 1;
