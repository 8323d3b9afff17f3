import {
  type DocumentNode,
  type ExecutionResult,
  type FieldNode,
  getOperationAST,
  Kind,
  visit,
} from 'graphql';
import type { Catalog } from '../domain/catalog/catalog.ts';
import type { GraphContext } from '../schema/context.ts';
import { type Execute, outcomeOf, type QuickOutcome, type Values } from './quick-outcome.ts';

/** A document that asks for one page of the catalog, and whose rows look alike whoever asks. */
export interface CatalogDocument {
  /** The same document with a short text in the rows' place. */
  readonly question: DocumentNode;
  /** What the rows are called in the answer. */
  readonly key: string;
  /** The whole answer follows from the catalog and the variables: no cursor, which is the caller's own, and nothing read anew. */
  readonly isForAll: boolean;
}

/** What says the same to everybody, of what stands beside the rows. Cursors are signed for their caller. */
const FOR_ALL: ReadonlySet<string> = new Set([
  '__typename',
  'asOf',
  'totalCount',
  'pageInfo',
  'hasNextPage',
  'hasPreviousPage',
]);
const ARGUMENTS_FOR_ALL: ReadonlySet<string> = new Set(['filter', 'orderBy', 'first']);

/**
 * Null for every other document: one field too many may hang upon the caller, and documents with more than the plain way of
 * asking are executed as they are.
 */
export function catalogDocument(
  document: DocumentNode,
  operationName: string | undefined,
): CatalogDocument | null {
  const operation = getOperationAST(document, operationName);
  const [page, ...others] = operation?.selectionSet.selections ?? [];
  if (page?.kind !== Kind.FIELD || page.name.value !== 'catalogProducts' || others.length > 0) return null;
  const beside = page.selectionSet?.selections ?? [];
  if (!beside.every((selection) => selection.kind === Kind.FIELD)) return null;
  const [nodes, ...more] = beside.filter(({ name }) => name.value === 'nodes');
  if (nodes === undefined || more.length > 0 || readsAnew(page)) return null;
  return {
    question: withoutRows(document, nodes),
    key: nodes.alias?.value ?? nodes.name.value,
    isForAll:
      (page.arguments ?? []).every(({ name }) => ARGUMENTS_FOR_ALL.has(name.value)) &&
      beside.every((field) => field === nodes || isForAll(field)),
  };
}

function isForAll(field: FieldNode): boolean {
  return (
    FOR_ALL.has(field.name.value) &&
    (field.selectionSet?.selections ?? []).every((inner) => inner.kind === Kind.FIELD && isForAll(inner))
  );
}

/** Executed a second time for rows not printed yet, it would read the catalog upstream a second time. */
function readsAnew(page: FieldNode): boolean {
  return page.arguments?.some(({ name }) => name.value === 'refresh') ?? false;
}

function withoutRows(document: DocumentNode, nodes: FieldNode): DocumentNode {
  const { selectionSet, ...field } = nodes;
  const placeholder: FieldNode = {
    ...field,
    alias: nodes.alias ?? nodes.name,
    name: { kind: Kind.NAME, value: 'asOf' },
  };
  return visit(document, { enter: (node) => (node === nodes ? placeholder : undefined) });
}

/** Rows as they were printed, of one catalog: its next reading has other rows, or the same at another time. */
export interface RowTexts {
  /** By row, for this document. Empty where the catalog is not the one that is shown now. */
  of(document: CatalogDocument, catalog: Catalog): RowsOfDocument;
}

interface RowsOfDocument {
  /** Null where one of them was not printed yet. */
  joined(rows: readonly number[]): string | null;
  keep(row: number, text: string): void;
}

/** Some three selections of 50,000 rows. What goes beyond it is printed each time. */
const MOST_CHARACTERS = 32 * 1024 * 1024;

export function createRowTexts(): RowTexts {
  let shown: Catalog | null = null;
  let characters = 0;
  let documents = new WeakMap<CatalogDocument, RowsOfDocument>();

  const open = (): RowsOfDocument => {
    const texts: (string | undefined)[] = [];
    return {
      joined(rows) {
        const found: string[] = [];
        for (const row of rows) {
          const text = texts[row];
          if (text === undefined) return null;
          found.push(text);
        }
        return found.join();
      },
      keep(row, text) {
        if (texts[row] !== undefined || characters + text.length > MOST_CHARACTERS) return;
        characters += text.length;
        texts[row] = text;
      },
    };
  };

  return {
    of(document, catalog) {
      if (catalog !== shown) {
        shown = catalog;
        characters = 0;
        documents = new WeakMap();
      }
      const known = documents.get(document);
      if (known !== undefined) return known;
      const rows = open();
      documents.set(document, rows);
      return rows;
    },
  };
}

/**
 * Asks which rows the page has, and joins their texts. Rows not printed yet: the document is executed as it stands, and
 * its rows are kept. Of 50 products, execution and printing are four fifths of what their page costs.
 */
export function joinedPage(
  document: CatalogDocument,
  texts: RowTexts,
  execute: { readonly question: Execute; readonly whole: Execute },
  context: GraphContext,
  variables: Values,
): QuickOutcome | Promise<QuickOutcome> {
  let cut: Cut | null = null;
  const watched: GraphContext = {
    ...context,
    onCatalogPage: (catalog, rows) => {
      cut = { catalog, rows };
    },
  };
  // Told apart from null by the compiler only where it is read in a function of its own.
  const rowsOf = (): RowsOfCut | null => {
    // Names of countries are those of the last catalog: another one's rows are not to be mixed with its.
    if (cut === null || cut.catalog !== context.deps.catalog.lastKnown()) return null;
    return { ...cut, texts: texts.of(document, cut.catalog) };
  };
  const whole = (): QuickOutcome | Promise<QuickOutcome> => {
    cut = null;
    const result = execute.whole(watched, variables);
    const keep = (found: ExecutionResult | null): QuickOutcome => {
      const outcome = outcomeOf(found);
      const own = rowsOf();
      if (outcome.kind !== 'text' || own === null) return outcome;
      keepRows(own, found, document.key);
      return { ...outcome, basis: document.isForAll ? own.catalog : null };
    };
    return result instanceof Promise ? result.then(keep) : keep(result);
  };
  const join = (result: ExecutionResult | null): QuickOutcome | Promise<QuickOutcome> => {
    const outcome = outcomeOf(result);
    if (outcome.kind !== 'text') return outcome;
    const own = rowsOf();
    const text = own === null ? null : filledIn(outcome.text, document.key, own.texts.joined(own.rows));
    if (own === null || text === null) return whole();
    return { kind: 'text', text, basis: document.isForAll ? own.catalog : null };
  };
  const result = execute.question(watched, variables);
  return result instanceof Promise ? result.then(join) : join(result);
}

interface Cut {
  readonly catalog: Catalog;
  readonly rows: readonly number[];
}

interface RowsOfCut extends Cut {
  readonly texts: RowsOfDocument;
}

/** The rows in the placeholder's place. Null where it is not clear which that is: an alias may bear its name. */
function filledIn(text: string, key: string, rows: string | null): string | null {
  // No text in JSON holds an unescaped quotation mark: what is found is a key.
  const mark = `"${key}":"`;
  const at = text.indexOf(mark);
  if (rows === null || at < 0 || text.includes(mark, at + 1)) return null;
  const from = at + mark.length;
  return `${text.slice(0, from - 1)}[${rows}]${text.slice(text.indexOf('"', from) + 1)}`;
}

function keepRows({ rows, texts }: RowsOfCut, result: ExecutionResult | null, key: string): void {
  const [page] = Object.values(result?.data ?? {});
  const nodes: unknown =
    typeof page === 'object' && page !== null && key in page ? Reflect.get(page, key) : null;
  if (!Array.isArray(nodes) || nodes.length !== rows.length) return;
  for (const [place, row] of rows.entries()) texts.keep(row, JSON.stringify(nodes[place]));
}
