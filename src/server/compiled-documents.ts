import {
  BREAK,
  type DocumentNode,
  type ExecutionResult,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  NoSchemaIntrospectionCustomRule,
  OperationTypeNode,
  type Source,
  specifiedRules,
  validate,
  visit,
} from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import type { GraphQLParams } from 'graphql-yoga';
import type { GraphContext } from '../schema/context.ts';
import { defaultsOf, listsForObjects, nullsForValues } from './input-defaults.ts';
import { type DocumentLimits, parseWithin, refuseDocument } from './limits.ts';
import { catalogDocument, createRowTexts, joinedPage } from './prepared-pages.ts';
import { type Execute, outcomeOf, type QuickOutcome, type Values } from './quick-outcome.ts';

/** Asked so often, a document is compiled: what is sent once or twice, with its values written into it, costs more than it saves. */
const COMPILED_AT = 3;
/** Compiled code is kept for so many documents, and none as long as this: nobody may fill the memory with them. */
const MOST_DOCUMENTS = 500;
const LONGEST_TEXT = 16 * 1024;

/** A client may send any text as a name. One with a line break would make two different requests one entry. */
const NAME = /^[_A-Za-z][_0-9A-Za-z]*$/;

type Run = (context: GraphContext, variables: Values) => QuickOutcome | Promise<QuickOutcome>;

/** Queries and mutations as compiled code, by their text. */
export interface CompiledDocuments {
  /** Null for what is not compiled: seldom asked, a subscription, or in any way wrong. Yoga answers these. */
  find(params: GraphQLParams): Run | null;
}

/**
 * graphql-jit under the same limits and rules as everywhere. Only documents without any fault come to be compiled, so that
 * all refusals stay Yoga's. Its own stringify knows no custom scalars (it refuses Rupiah). It writes `__typename` before its
 * siblings, and fields of fragments behind theirs, wherever they were asked for.
 */
export function createCompiledDocuments(deps: {
  readonly schema: GraphQLSchema;
  readonly limits: DocumentLimits;
  readonly introspection: boolean;
}): CompiledDocuments {
  const { schema, limits } = deps;
  const rules = deps.introspection ? specifiedRules : [...specifiedRules, NoSchemaIntrospectionCustomRule];
  const known = new Map<string, { seen: number; run: Run | null }>();
  const rows = createRowTexts();

  const compile = (text: string, operationName: string | undefined): Run | null => {
    const document = parsed(text, limits);
    if (document === null || refuseDocument(schema, document, limits) !== null) return null;
    if (validate(schema, document, rules).length > 0) return null;
    if (!isCompiledRightly(document, operationName)) return null;
    const execute = executed(document, operationName);
    if (execute === null) return null;
    const page = catalogDocument(document, operationName);
    const question = page === null ? null : executed(page.question, operationName);
    const whole: Run = (context, variables) => {
      const result = execute(context, variables);
      return result instanceof Promise ? result.then(outcomeOf) : outcomeOf(result);
    };
    if (page === null || question === null) return whole;
    return (context, variables) => joinedPage(page, rows, { question, whole: execute }, context, variables);
  };

  /** Null for what the compiler refuses. */
  const executed = (document: DocumentNode, operationName: string | undefined): Execute | null => {
    const compiled = compileQuery(schema, document, operationName ?? '');
    if (!isCompiledQuery(compiled)) return null;
    const complete = defaultsOf(schema, document);
    const hasMisreadList = listsForObjects(schema, document);
    const hasMisreadNull = nullsForValues(schema, document);
    const judged = (result: ExecutionResult): ExecutionResult | null => {
      if (!('data' in result)) return null;
      return result.errors === undefined ? result : withPlaces(result, document.loc?.source);
    };
    return (context, variables) => {
      if (hasMisreadList(variables) || hasMisreadNull(variables)) return null;
      const result = compiled.query(undefined, context, complete(variables));
      return result instanceof Promise ? result.then(judged) : judged(result);
    };
  };

  return {
    find({ query: text, operationName }) {
      if (text === undefined || text === null || text.length > LONGEST_TEXT) return null;
      const name = operationName ?? null;
      if (name !== null && !NAME.test(name)) return null;
      // Of one without a name, the first line is empty.
      const key = `${name ?? ''}\n${text}`;
      const entry = known.get(key) ?? { seen: 0, run: null };
      if (entry.seen < COMPILED_AT) {
        entry.seen += 1;
        if (entry.seen === COMPILED_AT) entry.run = compile(text, name ?? undefined);
        known.delete(key);
        known.set(key, entry);
        const [oldest] = known.keys();
        if (known.size > MOST_DOCUMENTS && oldest !== undefined) known.delete(oldest);
      }
      return entry.run;
    },
  };
}

/**
 * Whether the compiler executes it as graphql would. Never subscriptions: it loses their field arguments, silently. Nothing
 * with a directive: a fragment that is left out in one place it leaves out in the next, too. No mutation whose fields stand in
 * fragments: it executes those last.
 */
function isCompiledRightly(document: DocumentNode, operationName: string | undefined): boolean {
  const operation = getOperationAST(document, operationName);
  switch (operation?.operation) {
    case OperationTypeNode.QUERY:
      return !hasDirectives(document);
    case OperationTypeNode.MUTATION:
      return (
        !hasDirectives(document) &&
        operation.selectionSet.selections.every((selection) => selection.kind === Kind.FIELD)
      );
    default:
      return false;
  }
}

function hasDirectives(document: DocumentNode): boolean {
  let found = false;
  visit(document, {
    Directive() {
      found = true;
      return BREAK;
    },
  });
  return found;
}

function parsed(text: string, limits: DocumentLimits): DocumentNode | null {
  try {
    return parseWithin(text, limits.tokens);
  } catch {
    return null;
  }
}

/** The compiler's errors know lines and columns alone; as graphql's own, they can be shown like all others. */
function withPlaces(result: ExecutionResult, source: Source | undefined): ExecutionResult {
  const starts = [0];
  for (const lineBreak of source?.body.matchAll(/\r\n|[\n\r]/g) ?? []) {
    starts.push(lineBreak.index + lineBreak[0].length);
  }
  const errors = result.errors?.map(({ message, path, locations, originalError, extensions }) => {
    const positions = locations?.map(({ line, column }) => (starts[line - 1] ?? 0) + column - 1);
    return new GraphQLError(message, {
      source: source ?? null,
      positions: positions ?? null,
      path: path ?? null,
      originalError: originalError ?? null,
      extensions: extensions ?? null,
    });
  });
  // In graphql's own order.
  return { ...(errors !== undefined && { errors }), data: result.data ?? null };
}
