import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react';
import { askOnce, createGraphClient, type GraphClient } from '../graph/client.ts';
import { GraphContext } from '../graph/use-graph.ts';
import { keep, readKept } from '../storage.ts';
import { SignIn } from './sign-in.tsx';
import { readSurroundings, type Surroundings } from './surroundings.ts';
import { type Session, SessionContext } from './use-session.ts';
import { type Viewer, ViewerDocument } from './viewer.ts';

const KEPT_AS = 'switchboard.key';

interface SignedIn {
  readonly key: string;
  readonly viewer: Viewer;
}

/** Shows its children to those who have signed in. The key is in this memory alone, unless a person ticked otherwise. */
export function SessionGate({ children }: { readonly children: ReactNode }): ReactNode {
  const [surroundings, setSurroundings] = useState<Surroundings | null>(null);
  const [signedIn, setSignedIn] = useState<SignedIn | null>(null);
  const [isResuming, setResuming] = useState(() => readKept('session', KEPT_AS) !== null);
  const [wasSignedOut, setSignedOut] = useState(false);

  useEffect(() => {
    void readSurroundings().then(setSurroundings);
    const key = readKept('session', KEPT_AS);
    if (key === null) return;
    void askOnce(key, ViewerDocument, {}).then((answer) => {
      if (answer.kind === 'data') setSignedIn({ key, viewer: answer.data.viewer });
      setResuming(false);
    });
  }, []);

  const leave = useCallback((isForced: boolean) => {
    keep('session', KEPT_AS, null);
    setSignedIn(null);
    setSignedOut(isForced);
  }, []);

  if (surroundings === null || isResuming) return null;
  if (signedIn === null) {
    return (
      <SignIn
        surroundings={surroundings}
        wasSignedOut={wasSignedOut}
        onSignedIn={(key, viewer, isKept) => {
          if (isKept) keep('session', KEPT_AS, key);
          setSignedIn({ key, viewer });
        }}
      />
    );
  }
  return (
    <SignedInRoom signedIn={signedIn} surroundings={surroundings} leave={leave}>
      {children}
    </SignedInRoom>
  );
}

function SignedInRoom({
  signedIn,
  surroundings,
  leave,
  children,
}: {
  readonly signedIn: SignedIn;
  readonly surroundings: Surroundings;
  readonly leave: (isForced: boolean) => void;
  readonly children: ReactNode;
}): ReactNode {
  const [client, setClient] = useState<GraphClient | null>(null);
  useEffect(() => {
    const opened = createGraphClient(signedIn.key, () => leave(true));
    setClient(opened);
    return () => opened.close();
  }, [signedIn.key, leave]);
  const session = useMemo(
    (): Session => ({ ...signedIn, surroundings, signOut: () => leave(false) }),
    [signedIn, surroundings, leave],
  );
  if (client === null) return null;
  return (
    <SessionContext value={session}>
      <GraphContext value={client}>{children}</GraphContext>
    </SessionContext>
  );
}
