import { isRecord } from '../graph/fault.ts';

/** What the gateway tells the page about itself before anybody has signed in. */
export interface Surroundings {
  readonly isSandbox: boolean;
  /** The sandbox's key; null unless this browser runs on the gateway's own machine. */
  readonly readyKey: string | null;
  readonly hasGraphiql: boolean;
}

const nothing: Surroundings = { isSandbox: false, readyKey: null, hasGraphiql: false };

export async function readSurroundings(): Promise<Surroundings> {
  try {
    const told: unknown = await (await fetch('/console/session.json')).json();
    if (!isRecord(told)) return nothing;
    return {
      isSandbox: told['mode'] === 'sandbox',
      readyKey: typeof told['readyKey'] === 'string' ? told['readyKey'] : null,
      hasGraphiql: told['graphiql'] === true,
    };
  } catch {
    return nothing;
  }
}
