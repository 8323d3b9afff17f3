import type { ReactNode } from 'react';

const PATHS = {
  numbers: 'M4 5h16v10H9l-5 4V5Z M8 9h8 M8 12h5',
  orders: 'M5 4h14v16l-3-2-2 2-2-2-2 2-2-2-3 2V4Z M9 9h6 M9 13h6',
  supplier: 'M4 8l8-4 8 4v8l-8 4-8-4V8Z M4 8l8 4 8-4 M12 12v8',
  operations: 'M4 19h16 M7 16v-5 M12 16V6 M17 16v-8',
  sandbox: 'M9 4h6 M10 4v6l-5 9h14l-5-9V4 M8 15h8',
  copy: 'M9 9h10v11H9V9Z M15 9V4H5v11h4',
  done: 'M5 12.5l4.5 4.5L19 7.5',
  clear: 'M7 7l10 10 M17 7L7 17',
  chevron: 'M7 10l5 5 5-5',
  signOut: 'M14 4h5v16h-5 M4 12h10 M8 8l-4 4 4 4',
  outside: 'M14 5h5v5 M19 5l-8 8 M18 14v5H5V6h5',
} as const;

/** A line drawing that says nothing of its own: the words beside it do. */
export function Icon({ name }: { readonly name: keyof typeof PATHS }): ReactNode {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
