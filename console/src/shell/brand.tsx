import type { ReactNode } from 'react';

/** Two lines of jacks and a cord between them. */
export function Brand(): ReactNode {
  return (
    <span className="brand">
      <svg viewBox="0 0 32 32" aria-hidden="true" focusable="false">
        <rect width="32" height="32" rx="8" />
        <circle className="brand-jack" cx="9" cy="10" r="2.5" />
        <circle className="brand-jack" cx="16" cy="10" r="2.5" />
        <circle className="brand-lamp" cx="23" cy="10" r="2.5" />
        <circle className="brand-lamp" cx="9" cy="22" r="2.5" />
        <circle className="brand-jack" cx="16" cy="22" r="2.5" />
        <circle className="brand-jack" cx="23" cy="22" r="2.5" />
        <path d="M23 12.5c0 6-14 2-14 7" />
      </svg>
      Switchboard
    </span>
  );
}
