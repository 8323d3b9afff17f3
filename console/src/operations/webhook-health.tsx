import { type FormEvent, type ReactNode, useState } from 'react';
import type { Fault } from '../graph/fault.ts';
import { useMutation } from '../graph/use-mutation.ts';
import { useQuery } from '../graph/use-query.ts';
import { now } from '../now.ts';
import { FaultNotice } from '../parts/fault-notice.tsx';
import { Field } from '../parts/field.tsx';
import { Notice } from '../parts/notice.tsx';
import type { Texts } from '../texts/en.ts';
import type { Format } from '../texts/format.ts';
import { useSpeech } from '../texts/language-provider.tsx';
import {
  ConnectWebhookDocument,
  TestWebhookDocument,
  type Webhook,
  WebhookDocument,
} from './operations-documents.ts';

const READ_EVERY = 60_000;
const DIFFERENT_SECRETS = 401;

interface Told {
  readonly tone: 'good' | 'warn' | 'bad';
  readonly text: string;
}

/** Whether the provider still calls us, and the two ways to see to it. */
export function WebhookHealth(): ReactNode {
  const { t, format } = useSpeech();
  const { data, fault, refresh } = useQuery(WebhookDocument, {}, READ_EVERY);
  const connect = useMutation(ConnectWebhookDocument);
  const test = useMutation(TestWebhookDocument);
  const [url, setUrl] = useState<string | null>(null);
  const [told, setTold] = useState<Told | null>(null);
  const [failed, setFailed] = useState<Fault | null>(null);
  const webhook = data?.webhook;
  const address = url ?? webhook?.url ?? `${location.origin}/webhooks/smscode`;

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setTold(null);
    const answer = await connect.run({ url: address.trim() });
    if (answer === null) return;
    setFailed(answer.kind === 'fault' ? answer.fault : null);
    if (answer.kind === 'data') setTold({ tone: 'good', text: t.operations.webhookConnected });
    refresh();
  };
  const runTest = async (): Promise<void> => {
    setTold(null);
    const answer = await test.run({});
    if (answer === null) return;
    setFailed(answer.kind === 'fault' ? answer.fault : null);
    if (answer.kind === 'data') setTold(testWords(answer.data.test.statusCode, t));
    refresh();
  };

  return (
    <section className="card" aria-labelledby="webhook-title">
      <h2 id="webhook-title">{t.operations.webhook}</h2>
      <FaultNotice fault={fault} onRetry={refresh} />
      {webhook !== undefined && <Health webhook={webhook} />}
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Field label={t.operations.webhookUrl}>
          {(control) => (
            <input
              {...control}
              type="url"
              className="mono"
              autoComplete="off"
              value={address}
              onChange={(event) => setUrl(event.target.value)}
            />
          )}
        </Field>
        <div className="button-row">
          <button type="submit" className="button" disabled={connect.isRunning}>
            {t.operations.webhookConnect}
          </button>
          <button type="button" className="button" disabled={test.isRunning} onClick={() => void runTest()}>
            {test.isRunning ? t.operations.webhookTesting : t.operations.webhookTest}
          </button>
        </div>
      </form>
      <FaultNotice fault={failed} />
      {told !== null && (
        <Notice tone={told.tone} isNews>
          {told.text}
        </Notice>
      )}
      {webhook !== undefined && <p className="hint">{t.common.asOf(format.time(webhook.asOf))}</p>}
    </section>
  );
}

function Health({ webhook }: { readonly webhook: Webhook }): ReactNode {
  const { t, format } = useSpeech();
  const { tone, text } = healthOf(webhook, t, format);
  return (
    <>
      <Notice tone={tone}>
        <p>{text}</p>
        {webhook.disabledReason !== null && (
          <p>
            {t.operations.webhookReason}: {webhook.disabledReason}
          </p>
        )}
      </Notice>
      {!webhook.secretSet && webhook.url !== null && (
        <Notice tone="bad">{t.operations.webhookUnsigned}</Notice>
      )}
    </>
  );
}

function healthOf(
  { url, disabledAt, consecutiveFailures }: Webhook,
  { operations: t }: Texts,
  format: Format,
): Told {
  if (url === null) return { tone: 'warn', text: t.webhookUnset };
  if (disabledAt !== null) return { tone: 'bad', text: t.webhookDisabled(format.ago(disabledAt, now())) };
  if (consecutiveFailures > 0)
    return { tone: 'warn', text: t.webhookFailing(consecutiveFailures, format.number(consecutiveFailures)) };
  return { tone: 'good', text: t.webhookOk };
}

function testWords(status: number, { operations: t }: Texts): Told {
  const text = t.webhookTested(String(status));
  if (status === DIFFERENT_SECRETS) return { tone: 'bad', text: `${text} ${t.webhookSecretsDiffer}` };
  return { tone: status < 300 ? 'good' : 'bad', text };
}
