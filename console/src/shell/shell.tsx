import { type ReactNode, useState } from 'react';
import { Icon } from '../parts/icon.tsx';
import { hrefOf, type Route } from '../route.ts';
import { SandboxPanel } from '../sandbox/sandbox-panel.tsx';
import { useSession } from '../session/use-session.ts';
import { may } from '../session/viewer.ts';
import { useSpeech } from '../texts/language-provider.tsx';
import { useBalances } from './balance.tsx';
import { Brand } from './brand.tsx';
import { LanguageMenu } from './language-menu.tsx';
import { StatusLine } from './status-line.tsx';

const PAGES = [
  { name: 'numbers', scope: 'BUYER' },
  { name: 'orders', scope: 'BUYER' },
  { name: 'supplier', scope: 'SUPPLIER' },
  { name: 'operations', scope: 'BUYER' },
] as const;

export function Shell({
  route,
  children,
}: {
  readonly route: Route;
  readonly children: ReactNode;
}): ReactNode {
  const { t } = useSpeech();
  const { viewer, surroundings, signOut } = useSession();
  const [isPanelOpen, setPanelOpen] = useState(false);
  return (
    <div className="shell">
      <button type="button" className="skip" onClick={() => document.getElementById('page')?.focus()}>
        {t.shell.skip}
      </button>
      <header className="bar">
        <Brand />
        <StatusLine />
        <BalanceFigure />
      </header>
      <nav className="nav" aria-label={t.shell.nav}>
        <ul>
          {PAGES.filter(({ scope }) => may(viewer, scope)).map(({ name }) => (
            <li key={name}>
              <a href={hrefOf(name)} aria-current={route.page === name ? 'page' : undefined}>
                <Icon name={name} />
                <span>{t.shell[name]}</span>
              </a>
            </li>
          ))}
          {surroundings.isSandbox && (
            <li className="nav-sandbox">
              <button
                type="button"
                aria-expanded={isPanelOpen}
                aria-controls="sandbox"
                onClick={() => setPanelOpen(!isPanelOpen)}
              >
                <Icon name="sandbox" />
                <span>{t.shell.sandbox}</span>
              </button>
            </li>
          )}
        </ul>
        <div className="nav-end">
          {surroundings.hasGraphiql && (
            <a href="/graphql" className="nav-extra">
              <Icon name="outside" />
              <span>{t.shell.graphiql}</span>
            </a>
          )}
          <LanguageMenu />
          <p className="nav-caller">{t.shell.signedInAs(viewer.caller)}</p>
          <button type="button" className="nav-extra" onClick={signOut}>
            <Icon name="signOut" />
            <span>{t.shell.signOut}</span>
          </button>
        </div>
      </nav>
      <main id="page" className={`page page-${route.page}`} tabIndex={-1}>
        {children}
      </main>
      {isPanelOpen && <SandboxPanel onClose={() => setPanelOpen(false)} />}
    </div>
  );
}

function BalanceFigure(): ReactNode {
  const { t, format } = useSpeech();
  const balance = useBalances().at(-1);
  if (balance === undefined) return null;
  return (
    <p className="bar-balance">
      <span>{t.shell.balance}</span> <strong>{format.money(balance.amount)}</strong>
      {balance.low && <em className="pill pill-bad">{t.shell.low}</em>}
    </p>
  );
}
