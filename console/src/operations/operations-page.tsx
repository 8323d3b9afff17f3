import type { ReactNode } from 'react';
import { Page } from '../parts/page.tsx';
import { useSession } from '../session/use-session.ts';
import { useSpeech } from '../texts/language-provider.tsx';
import { Attempts } from './attempts.tsx';
import { Money } from './money.tsx';
import { Statistics } from './statistics.tsx';
import { WebhookHealth } from './webhook-health.tsx';

export function OperationsPage(): ReactNode {
  const { t } = useSpeech();
  const { viewer } = useSession();
  return (
    <Page title={t.operations.title}>
      <div className="operations">
        <Attempts />
        <div className="operations-column">
          <Money />
          {viewer.scopes.includes('OPERATOR') && <WebhookHealth />}
        </div>
        <Statistics />
      </div>
    </Page>
  );
}
