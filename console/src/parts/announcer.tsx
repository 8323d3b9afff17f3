import { createContext, type ReactNode, useCallback, useContext, useState } from 'react';

type Announce = (text: string) => void;

const AnnounceContext = createContext<Announce>(() => undefined);

/** Tells a screen reader what has just happened, wherever on the page it did. */
export function useAnnounce(): Announce {
  return useContext(AnnounceContext);
}

export function Announcer({ children }: { readonly children: ReactNode }): ReactNode {
  const [said, setSaid] = useState<readonly { readonly id: number; readonly text: string }[]>([]);
  const announce = useCallback<Announce>((text) => {
    // A log of the last few: of two codes at once, both are read out.
    setSaid((before) => [...before.slice(-4), { id: (before.at(-1)?.id ?? 0) + 1, text }]);
  }, []);
  return (
    <AnnounceContext value={announce}>
      {children}
      <div className="unseen" role="log" aria-live="assertive" aria-relevant="additions" data-announcer>
        {said.map(({ id, text }) => (
          <p key={id}>{text}</p>
        ))}
      </div>
    </AnnounceContext>
  );
}
