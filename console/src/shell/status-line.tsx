import { type ReactNode, useSyncExternalStore } from 'react';
import { useGraph } from '../graph/use-graph.ts';
import { useNow } from '../now.ts';
import { useSpeech } from '../texts/language-provider.tsx';

/** Whether what is shown is live, and what became of a broken connection. */
export function StatusLine(): ReactNode {
  const { t } = useSpeech();
  const { status } = useGraph();
  const line = useSyncExternalStore(status.subscribe, status.get);
  return (
    <p className={`line line-${line.kind}`} role="status" data-line={line.kind}>
      <span className="line-lamp" aria-hidden="true" />
      {line.kind === 'connected' && t.shell.live}
      {line.kind === 'connecting' && t.shell.connecting}
      {line.kind === 'resumed' && t.shell.resumed}
      {line.kind === 'reconnecting' && <Reconnecting since={line.since} />}
    </p>
  );
}

function Reconnecting({ since }: { readonly since: number }): ReactNode {
  const { t, format } = useSpeech();
  const time = format.countdown(useNow() - since);
  return (
    <>
      <span className="unseen">{t.shell.connecting}</span>
      {/* Counting aloud would read nothing else any more. */}
      <span aria-hidden="true">{t.shell.reconnecting(time)}</span>
    </>
  );
}
