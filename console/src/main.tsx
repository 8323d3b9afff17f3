import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { JobsKeeper } from './numbers/jobs.tsx';
import { Announcer } from './parts/announcer.tsx';
import { SessionGate } from './session/session-gate.tsx';
import { BalanceWatch } from './shell/balance.tsx';
import './styles/tokens.css';
import './styles/base.css';
import './styles/parts.css';
import './styles/fields.css';
import './styles/combobox.css';
import './styles/table.css';
import './styles/shell.css';
import './styles/numbers.css';
import './styles/order-card.css';
import './styles/orders.css';
import './styles/supplier.css';
import './styles/operations.css';
import { LanguageProvider } from './texts/language-provider.tsx';

const root = document.querySelector('#root');
if (root === null) throw new Error('the page has no place for the console');

createRoot(root).render(
  <StrictMode>
    <LanguageProvider>
      <Announcer>
        <SessionGate>
          <BalanceWatch>
            <JobsKeeper>
              <App />
            </JobsKeeper>
          </BalanceWatch>
        </SessionGate>
      </Announcer>
    </LanguageProvider>
  </StrictMode>,
);
