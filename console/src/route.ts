import { useSyncExternalStore } from 'react';

/** Where a person is: `#/orders/42?status=ACTIVE` is the page `orders`, the part `42`, and a query. */
export interface Route {
  readonly page: string;
  readonly part: string | null;
  readonly query: URLSearchParams;
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('hashchange', listener);
  return () => window.removeEventListener('hashchange', listener);
}

export function useRoute(): Route {
  return parseRoute(useSyncExternalStore(subscribe, () => location.hash));
}

function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const [page = '', part = ''] = path.split('/', 2);
  return {
    page: page === '' ? 'numbers' : page,
    part: part === '' ? null : decodeURIComponent(part),
    query: new URLSearchParams(query),
  };
}

/** The address of a page, for links. Empty values are left out of the query. */
export function hrefOf(
  page: string,
  part?: string | null,
  query: Readonly<Record<string, string>> = {},
): string {
  const given = Object.entries(query).filter(([, value]) => value !== '');
  const search = given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
  return `#/${page}${part == null ? '' : `/${encodeURIComponent(part)}`}${search}`;
}
