import { type ReactNode, useMemo, useState } from 'react';
import { useQuery } from '../graph/use-query.ts';
import { Combobox, type Option } from '../parts/combobox.tsx';
import { FaultNotice } from '../parts/fault-notice.tsx';
import type { Texts } from '../texts/en.ts';
import type { Format } from '../texts/format.ts';
import { useSpeech } from '../texts/language-provider.tsx';
import { type Facets, FacetsDocument } from './catalog-documents.ts';
import { Offers } from './offers.tsx';

const READ_EVERY = 30_000;

/** Country and service by name, and what there is of them now. */
export function Picker(): ReactNode {
  const { t, format } = useSpeech();
  const { data, fault, refresh } = useQuery(FacetsDocument, {}, READ_EVERY);
  const [countryId, setCountryId] = useState<number | null>(null);
  const [platformId, setPlatformId] = useState<number | null>(null);
  const countries = useMemo(() => (data === null ? [] : countryOptions(data, t, format)), [data, t, format]);
  const services = useMemo(() => (data === null ? [] : serviceOptions(data, t, format)), [data, t, format]);

  return (
    <section className="picker" aria-labelledby="picker-title">
      <h2 id="picker-title" tabIndex={-1}>
        {t.numbers.get}
      </h2>
      <FaultNotice fault={fault} onRetry={refresh} />
      <div className="picker-choice">
        <Combobox
          label={t.numbers.service}
          anything={t.numbers.anyService}
          options={services}
          chosen={services.find(({ id }) => id === platformId) ?? null}
          onChoose={(option) => setPlatformId(option?.id ?? null)}
        />
        <Combobox
          label={t.numbers.country}
          anything={t.numbers.anyCountry}
          options={countries}
          chosen={countries.find(({ id }) => id === countryId) ?? null}
          onChoose={(option) => setCountryId(option?.id ?? null)}
        />
      </div>
      <Offers key={`${countryId} ${platformId}`} countryId={countryId} platformId={platformId} />
    </section>
  );
}

function countryOptions(facets: Facets, t: Texts, format: Format): readonly Option[] {
  const known = new Map(facets.countries.map((country) => [country.id, country]));
  return facets.catalogFacets.countries
    .map(({ id, label, available }): Option => {
      const country = known.get(id);
      const name = country?.name ?? label ?? String(id);
      return {
        id,
        label: format.country(country?.code, name),
        sign: country?.emoji ?? null,
        note: t.numbers.inStock(format.number(available)),
        also: [name, country?.code ?? '', country?.dialCode == null ? '' : `+${country.dialCode}`],
      };
    })
    .sort((one, other) => format.collator.compare(one.label, other.label));
}

function serviceOptions(facets: Facets, t: Texts, format: Format): readonly Option[] {
  return facets.catalogFacets.platforms.map(({ id, label, available }) => ({
    id,
    label: label ?? String(id),
    sign: null,
    note: t.numbers.inStock(format.number(available)),
    also: [],
  }));
}
