import {
  type ExecutionResult,
  execute,
  GraphQLError,
  parse,
  specifiedRules,
  subscribe,
  validate,
} from 'graphql';
import type { Scope } from '../../../src/domain/access.ts';
import type { CallerName } from '../../../src/domain/ids.ts';
import { MINUTE } from '../../../src/domain/time.ts';
import { createBalanceReader } from '../../../src/flows/balance/read-balance.ts';
import { createCatalogReader } from '../../../src/flows/catalog/read-catalog.ts';
import type { Deps, Settings } from '../../../src/flows/deps.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { Log } from '../../../src/ports/log.ts';
import type { Metrics } from '../../../src/ports/metrics.ts';
import type { NumbersApi } from '../../../src/ports/numbers-api.ts';
import type { Wake } from '../../../src/ports/wake.ts';
import { codedError } from '../../../src/resolvers/coded-error.ts';
import { createContext } from '../../../src/resolvers/create-context.ts';
import { createCursors } from '../../../src/resolvers/cursors.ts';
import { schema } from '../../../src/resolvers/index.ts';
import type { GraphContext } from '../../../src/schema/context.ts';
import { createInProcessWake } from '../../../src/wake/in-process.ts';
import { alice, start } from '../../support/values.ts';
import { createFakeStore, noRows, type Rows, type StoreCalls } from './fake-store.ts';
import { only } from './only.ts';

export interface Asker {
  readonly caller?: CallerName;
  readonly scopes?: readonly Scope[];
  readonly signal?: AbortSignal;
}

export type Variables = Readonly<Record<string, unknown>>;

export interface Answer {
  readonly data: Record<string, unknown> | null;
  /** `CODE field`, or `masked` where the server would mask it. */
  readonly errors: readonly string[];
  readonly extensions: readonly Readonly<Record<string, unknown>>[];
}

/** The schema over in-memory ports, asked as a server would ask it. */
export interface World {
  readonly rows: Rows;
  readonly calls: StoreCalls;
  /** What is open, by the name of the stream. */
  readonly streams: Map<string, number>;
  readonly wake: Wake;
  readonly context: (asker?: Asker, variables?: Variables | null) => GraphContext;
  ask(document: string, variables?: Variables, asker?: Asker): Promise<Answer>;
  /** Null and its errors where the stream was refused. */
  follow(
    document: string,
    variables?: Variables,
    asker?: Asker,
  ): Promise<{ stream: AsyncGenerator<ExecutionResult, void, void> | null; errors: readonly string[] }>;
}

export function createWorld(
  given: { readonly numbers?: Partial<NumbersApi>; readonly settings?: Partial<Settings> } = {},
): World {
  const rows = noRows();
  const calls: StoreCalls = [];
  const streams = new Map<string, number>();
  const store = createFakeStore(rows, calls);
  const clock: Clock = { now: () => start, sleep: () => Promise.resolve(), after: () => () => undefined };
  const log: Log = {
    debug: () => undefined,
    info: () => undefined,
    warn: () => undefined,
    error: () => undefined,
    child: () => log,
  };
  const metrics = only<Metrics>('metrics', {
    attemptReached: () => undefined,
    streams: (kind, change) => streams.set(kind, (streams.get(kind) ?? 0) + change),
  });
  const numbers = only<NumbersApi>('numbers', given.numbers ?? {});
  const wake = createInProcessWake((error) => {
    throw error;
  });
  let made = 0;
  const deps: Deps = {
    store,
    numbers,
    supplier: only('supplier', {}),
    webhooks: only('webhooks', {}),
    catalog: createCatalogReader({ numbers, seen: store.seenProducts, clock, log, maxAge: MINUTE }),
    balance: createBalanceReader({ numbers, balances: store.balances, clock, log }),
    clock,
    random: { token: () => `token-${++made}`, unit: () => 0 },
    log,
    metrics,
    wake,
    settings: {
      buyerConfigured: true,
      supplierConfigured: true,
      productMaxAge: MINUTE,
      balanceAlertBelow: null,
      ...given.settings,
    },
  };
  const cursors = createCursors('secret');

  const context = (asker: Asker = {}, variables: Variables | null = null): GraphContext =>
    createContext(deps, cursors, {
      caller: { name: asker.caller ?? alice, scopes: asker.scopes ?? ['BUYER'], keyId: null },
      requestId: 'request',
      rawVariables: variables,
      signal: asker.signal ?? null,
    });

  const told = (errors: readonly GraphQLError[]): string[] =>
    errors.map((error) => {
      const { code, field } = codedError(error).extensions;
      return [code ?? 'masked', field].filter((part) => part !== undefined).join(' ');
    });

  return {
    rows,
    calls,
    streams,
    wake,
    context,
    async ask(source, variables = {}, asker = {}) {
      const document = read(source);
      if ('errors' in document) return { data: null, errors: told(document.errors), extensions: [] };
      const result = await execute({
        schema,
        document: document.document,
        contextValue: context(asker, variables),
        variableValues: variables,
      });
      const errors = result.errors ?? [];
      return {
        data: result.data ?? null,
        errors: told(errors),
        extensions: errors.map((error) => codedError(error).extensions),
      };
    },
    async follow(source, variables = {}, asker = {}) {
      const document = read(source);
      if ('errors' in document) return { stream: null, errors: told(document.errors) };
      const result = await subscribe({
        schema,
        document: document.document,
        contextValue: context(asker, variables),
        variableValues: variables,
      });
      return 'next' in result
        ? { stream: result, errors: [] }
        : { stream: null, errors: told(result.errors ?? []) };
    },
  };
}

type Read = { readonly document: ReturnType<typeof parse> } | { readonly errors: readonly GraphQLError[] };

function read(source: string): Read {
  try {
    const document = parse(source);
    const errors = validate(schema, document, specifiedRules);
    return errors.length > 0 ? { errors } : { document };
  } catch (error) {
    if (error instanceof GraphQLError) return { errors: [error] };
    throw error;
  }
}
