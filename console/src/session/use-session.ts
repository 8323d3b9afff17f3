import { createContext, useContext } from 'react';
import type { Surroundings } from './surroundings.ts';
import type { Viewer } from './viewer.ts';

export interface Session {
  readonly key: string;
  readonly viewer: Viewer;
  readonly surroundings: Surroundings;
  signOut(): void;
}

export const SessionContext = createContext<Session | null>(null);

/** Of whoever is signed in. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('there is a session only for those who are signed in');
  return session;
}
