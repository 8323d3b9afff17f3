import { type ReactNode, useState } from 'react';
import { useQuery } from '../graph/use-query.ts';
import { FaultNotice } from '../parts/fault-notice.tsx';
import { Page } from '../parts/page.tsx';
import { hrefOf } from '../route.ts';
import { useSpeech } from '../texts/language-provider.tsx';
import { FilterForm } from './filter-form.tsx';
import { type Asked, filterOf, readAsked, writeAsked } from './order-filter.ts';
import { OrderTable } from './order-table.tsx';
import { OrdersDocument } from './orders-document.ts';

const PAGE = 20;

export function OrdersPage({ query }: { readonly query: URLSearchParams }): ReactNode {
  const { t } = useSpeech();
  const asked = readAsked(query);
  const key = JSON.stringify(asked);
  const search = (next: Asked): void => {
    location.hash = hrefOf('orders', null, writeAsked(next));
  };
  return (
    <Page title={t.orders.title}>
      <FilterForm key={`form ${key}`} asked={asked} onSearch={search} />
      <Results key={key} asked={asked} />
    </Page>
  );
}

function Results({ asked }: { readonly asked: Asked }): ReactNode {
  const { t, format } = useSpeech();
  // The cursors that led to the page shown: the way back.
  const [path, setPath] = useState<readonly string[]>([]);
  const { data, fault, isLoading, refresh } = useQuery(OrdersDocument, {
    filter: filterOf(asked),
    first: PAGE,
    after: path.at(-1) ?? null,
  });
  const page = data?.orders;
  const before = path.length * PAGE;

  return (
    <section className="results" aria-label={t.orders.title} aria-busy={isLoading}>
      <FaultNotice fault={fault} onRetry={refresh} />
      <p className="found" role="status">
        {page === undefined
          ? t.common.loading
          : t.orders.found(page.totalCount, format.number(page.totalCount))}
      </p>
      {page?.totalCount === 0 && <p className="empty empty-room">{t.orders.nothing}</p>}
      {page !== undefined && page.nodes.length > 0 && (
        <>
          <OrderTable orders={page.nodes} />
          <div className="pager">
            <button
              type="button"
              className="button"
              disabled={path.length === 0 || isLoading}
              onClick={() => setPath(path.slice(0, -1))}
            >
              {t.common.previous}
            </button>
            <p>
              {t.orders.page(
                format.number(before + 1),
                format.number(before + page.nodes.length),
                format.number(page.totalCount),
              )}
            </p>
            <button
              type="button"
              className="button"
              disabled={!page.pageInfo.hasNextPage || isLoading}
              onClick={() => page.pageInfo.endCursor !== null && setPath([...path, page.pageInfo.endCursor])}
            >
              {t.common.next}
            </button>
          </div>
        </>
      )}
    </section>
  );
}
