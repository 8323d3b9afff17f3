import { createContext, type ReactNode, useContext, useState } from 'react';
import { useStream } from '../graph/use-stream.ts';
import { useSession } from '../session/use-session.ts';
import { may } from '../session/viewer.ts';
import { BalanceDocument } from './balance-document.ts';

export interface BalanceReading {
  readonly amount: number;
  readonly low: boolean;
  readonly asOf: string;
}

/** A day of changes every few minutes. */
const MOST_KEPT = 500;

const BalanceContext = createContext<readonly BalanceReading[]>([]);

/** The balances since the page was opened, the newest last. Empty until the first is here. */
export function useBalances(): readonly BalanceReading[] {
  return useContext(BalanceContext);
}

export function BalanceWatch({ children }: { readonly children: ReactNode }): ReactNode {
  const { viewer } = useSession();
  const [readings, setReadings] = useState<readonly BalanceReading[]>([]);
  useStream(BalanceDocument, may(viewer, 'BUYER') ? {} : null, ({ balanceChanged }) =>
    setReadings((before) =>
      before.at(-1)?.asOf === balanceChanged.asOf ? before : [...before.slice(1 - MOST_KEPT), balanceChanged],
    ),
  );
  return <BalanceContext value={readings}>{children}</BalanceContext>;
}
