import { type ReactNode, useId, useState } from 'react';
import { useQuery } from '../graph/use-query.ts';
import { FaultNotice } from '../parts/fault-notice.tsx';
import { useSpeech } from '../texts/language-provider.tsx';
import { type Offer, OffersDocument } from './catalog-documents.ts';
import { OfferForm } from './offer-form.tsx';

const READ_EVERY = 15_000;
const PAGE = 12;
const MOST = 96;

type Sort = 'PRICE' | 'AVAILABLE';

/** What fits, with its price and stock of now. One of them can be opened to order it. */
export function Offers({
  countryId,
  platformId,
}: {
  readonly countryId: number | null;
  readonly platformId: number | null;
}): ReactNode {
  const { t, format } = useSpeech();
  const sortId = useId();
  const [sort, setSort] = useState<Sort>('PRICE');
  const [first, setFirst] = useState(PAGE);
  const [openId, setOpenId] = useState<string | null>(null);
  const { data, fault, isLoading, refresh } = useQuery(
    OffersDocument,
    {
      first,
      filter: {
        orderable: true,
        ...(countryId !== null && { countryIds: [countryId] }),
        ...(platformId !== null && { platformIds: [platformId] }),
      },
      orderBy: { field: sort, direction: sort === 'PRICE' ? 'ASC' : 'DESC' },
    },
    READ_EVERY,
  );
  const page = data?.catalogProducts;

  return (
    <div className="offers" aria-busy={isLoading}>
      <div className="offers-head">
        <p role="status">
          {page === undefined
            ? t.common.loading
            : t.numbers.offersFound(page.totalCount, format.number(page.totalCount))}
        </p>
        <label className="unseen" htmlFor={sortId}>
          {t.numbers.sort}
        </label>
        <select
          id={sortId}
          value={sort}
          onChange={(event) => setSort(event.target.value === 'AVAILABLE' ? 'AVAILABLE' : 'PRICE')}
        >
          <option value="PRICE">{t.numbers.cheapest}</option>
          <option value="AVAILABLE">{t.numbers.mostStock}</option>
        </select>
      </div>
      <FaultNotice fault={fault} onRetry={refresh} />
      {page?.totalCount === 0 && <p className="empty">{t.numbers.noOffers}</p>}
      {page !== undefined && page.nodes.length > 0 && (
        <ul className="offer-list" aria-label={t.numbers.offers}>
          {page.nodes.map((offer) => (
            <OfferRow
              key={offer.id}
              offer={offer}
              isOpen={openId === offer.id}
              onToggle={() => setOpenId(openId === offer.id ? null : offer.id)}
            />
          ))}
        </ul>
      )}
      {page !== undefined && page.totalCount > page.nodes.length && first < MOST && (
        <button
          type="button"
          className="button button-quiet button-wide"
          onClick={() => setFirst(first + PAGE)}
        >
          {t.common.more}
        </button>
      )}
    </div>
  );
}

function OfferRow({
  offer,
  isOpen,
  onToggle,
}: {
  readonly offer: Offer;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}): ReactNode {
  const { t, format } = useSpeech();
  const id = useId();
  const country = format.country(offer.country?.code, offer.country?.name ?? '');
  const service = offer.platform?.name ?? offer.name;
  return (
    <li className={`offer ${isOpen ? 'offer-open' : ''}`}>
      <button
        type="button"
        className="offer-row"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={onToggle}
      >
        <span className="offer-flag" aria-hidden="true">
          {offer.country?.emoji}
        </span>
        <span className="offer-name">
          <span>{service}</span>
          <span className="offer-where">
            {[country, offer.operatorId === null ? t.numbers.anyOperator : offer.operatorName]
              .filter((part) => part !== '')
              .join(' · ')}
          </span>
        </span>
        <span className="offer-price">
          {format.money(offer.price)}
          <span className="offer-stock">{t.numbers.inStock(format.number(offer.available))}</span>
        </span>
      </button>
      <div id={id} hidden={!isOpen}>
        {isOpen && <OfferForm offer={offer} title={[service, country].join(' · ')} onOrdered={onToggle} />}
      </div>
    </li>
  );
}
