import { createContext, useContext } from 'react';
import type { GraphClient } from './client.ts';

export const GraphContext = createContext<GraphClient | null>(null);

/** The client of whoever is signed in. */
export function useGraph(): GraphClient {
  const client = useContext(GraphContext);
  if (client === null) throw new Error('the graph is for those who are signed in');
  return client;
}
