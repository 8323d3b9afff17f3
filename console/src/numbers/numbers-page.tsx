import { type ReactNode, useEffect, useState } from 'react';
import { useQuery } from '../graph/use-query.ts';
import { useAnnounce } from '../parts/announcer.tsx';
import { FaultNotice } from '../parts/fault-notice.tsx';
import { Page } from '../parts/page.tsx';
import { useSpeech } from '../texts/language-provider.tsx';
import { JobCard, type OrderedNumber } from './job-card.tsx';
import { useJobs } from './jobs.tsx';
import { OrderCard } from './order-card.tsx';
import { OpenOrdersDocument } from './order-documents.ts';
import { Picker } from './picker.tsx';

/** Orders that are made elsewhere come in by this. */
const READ_EVERY = 20_000;

interface Shown {
  readonly id: string;
  readonly known: number;
  /** Ordered on this page a moment ago. */
  readonly isFresh: boolean;
}

export function NumbersPage(): ReactNode {
  const { t } = useSpeech();
  const announce = useAnnounce();
  const jobs = useJobs();
  const open = useQuery(OpenOrdersDocument, {}, READ_EVERY);
  const [shown, setShown] = useState<readonly Shown[]>([]);

  // What has ended stays until it is put away: a code that came last would else vanish.
  const add = (orders: readonly Shown[]): void =>
    setShown((before) => [...orders.filter(({ id }) => !before.some((known) => known.id === id)), ...before]);

  const nodes = open.data?.orders.nodes;
  useEffect(() => {
    if (nodes === undefined) return;
    setShown((before) => [
      ...nodes
        .filter(({ id }) => !before.some((known) => known.id === id))
        .map(({ id, smsRevision }) => ({ id, known: smsRevision, isFresh: false })),
      ...before,
    ]);
  }, [nodes]);

  const take = (orders: readonly OrderedNumber[]): void => {
    add(orders.map(({ id, smsRevision }) => ({ id, known: smsRevision, isFresh: true })));
    for (const { phoneNumber } of orders) if (phoneNumber !== null) announce(t.job.ready(phoneNumber));
  };
  const isEmpty = shown.length === 0 && jobs.list.length === 0;
  const newest = shown.find(({ isFresh }) => isFresh)?.id;

  return (
    <Page
      title={t.numbers.title}
      aside={
        <button
          type="button"
          className="button to-picker"
          onClick={() => document.getElementById('picker-title')?.focus()}
        >
          {t.numbers.get}
        </button>
      }
    >
      <div className={`numbers ${isEmpty ? 'numbers-empty' : ''}`}>
        <section className="open-numbers" aria-labelledby="open-title" aria-busy={open.isLoading}>
          <h2 id="open-title">{t.numbers.open}</h2>
          <FaultNotice fault={open.fault} onRetry={open.refresh} />
          {isEmpty && open.data !== null && <p className="empty empty-room">{t.numbers.openEmpty}</p>}
          <div className="cards">
            {jobs.list.map((job) => (
              <JobCard key={job.id} job={job} onOrders={take} onDrop={() => jobs.drop(job.id)} />
            ))}
            {shown.map(({ id, known, isFresh }) => (
              <OrderCard
                key={id}
                id={id}
                known={known}
                takesFocus={isFresh && id === newest}
                onPutAway={() => setShown((before) => before.filter((one) => one.id !== id))}
              />
            ))}
          </div>
        </section>
        <Picker />
      </div>
    </Page>
  );
}
