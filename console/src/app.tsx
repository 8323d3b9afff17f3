import { type ReactNode, useEffect } from 'react';
import { NumbersPage } from './numbers/numbers-page.tsx';
import { OperationsPage } from './operations/operations-page.tsx';
import { OrderPage } from './orders/order-page.tsx';
import { OrdersPage } from './orders/orders-page.tsx';
import { BrokenPage } from './parts/broken-page.tsx';
import { Notice } from './parts/notice.tsx';
import { hrefOf, type Route, useRoute } from './route.ts';
import { useSession } from './session/use-session.ts';
import { may, type Scope } from './session/viewer.ts';
import { Shell } from './shell/shell.tsx';
import { SupplierPage } from './supplier/supplier-page.tsx';
import { useSpeech } from './texts/language-provider.tsx';

/** What is behind the sign-in. */
export function App(): ReactNode {
  const { t } = useSpeech();
  const { viewer } = useSession();
  const route = useRoute();
  const start = may(viewer, 'BUYER') ? 'numbers' : 'supplier';
  const isKnown =
    ['numbers', 'orders', 'supplier', 'operations'].includes(route.page) && location.hash !== '';
  useEffect(() => {
    if (!isKnown) location.replace(hrefOf(start));
  }, [isKnown, start]);

  const broken = (
    <Notice tone="bad" isNews>
      <p>{t.common.broken}</p>
      <button type="button" className="button" onClick={() => location.reload()}>
        {t.common.reload}
      </button>
    </Notice>
  );
  return (
    <Shell route={route}>
      <BrokenPage key={route.page} fallback={broken}>
        <PageOf route={route} />
      </BrokenPage>
    </Shell>
  );
}

function PageOf({ route }: { readonly route: Route }): ReactNode {
  switch (route.page) {
    case 'orders':
      return (
        <Needs scope="BUYER">
          {route.part === null ? (
            <OrdersPage query={route.query} />
          ) : (
            <OrderPage key={route.part} id={route.part} />
          )}
        </Needs>
      );
    case 'supplier':
      return (
        <Needs scope="SUPPLIER">
          <SupplierPage chosen={route.part} />
        </Needs>
      );
    case 'operations':
      return (
        <Needs scope="BUYER">
          <OperationsPage />
        </Needs>
      );
    default:
      return (
        <Needs scope="BUYER">
          <NumbersPage />
        </Needs>
      );
  }
}

function Needs({ scope, children }: { readonly scope: Scope; readonly children: ReactNode }): ReactNode {
  const { t } = useSpeech();
  const { viewer } = useSession();
  return may(viewer, scope) ? children : <Notice tone="warn">{t.common.needsScope(scope)}</Notice>;
}
