import {
  astFromValue,
  type DocumentNode,
  type ExecutionResult,
  GraphQLError,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  getOperationAST,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  Kind,
  NoSchemaIntrospectionCustomRule,
  OperationTypeNode,
  type Source,
  specifiedRules,
  typeFromAST,
  validate,
  valueFromASTUntyped,
} from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import type { GraphQLParams } from 'graphql-yoga';
import type { GraphContext } from '../schema/context.ts';
import { type DocumentLimits, parseWithin, refuseDocument } from './limits.ts';

/** Asked so often, a document is compiled: what is sent once or twice, with its values written into it, costs more than it saves. */
const COMPILED_AT = 3;
/** Compiled code is kept for so many documents, and none as long as this: nobody may fill the memory with them. */
const MOST_DOCUMENTS = 500;
const LONGEST_TEXT = 16 * 1024;

/** Null: its variables do not fit, and nothing was executed. */
type Run = (
  context: GraphContext,
  variables: GraphQLParams['variables'],
) => ExecutionResult | null | Promise<ExecutionResult | null>;

/** Queries and mutations as compiled code, by their text. */
export interface CompiledDocuments {
  /** Null for what is not compiled: seldom asked, a subscription, or in any way wrong. Yoga answers these. */
  find(params: GraphQLParams): Run | null;
}

/**
 * graphql-jit under the same limits and rules as everywhere. Only documents without any fault come to be compiled, so that
 * all refusals stay Yoga's. Never subscriptions: it loses their field arguments, silently. Its own stringify knows no
 * custom scalars (it refuses Rupiah). It writes `__typename` before its siblings, wherever it was asked for.
 */
export function createCompiledDocuments(deps: {
  readonly schema: GraphQLSchema;
  readonly limits: DocumentLimits;
  readonly introspection: boolean;
}): CompiledDocuments {
  const { schema, limits } = deps;
  const rules = deps.introspection ? specifiedRules : [...specifiedRules, NoSchemaIntrospectionCustomRule];
  const known = new Map<string, { seen: number; run: Run | null }>();

  const compile = (text: string, operationName: string | undefined): Run | null => {
    const document = parsed(text, limits);
    if (document === null || refuseDocument(schema, document, limits) !== null) return null;
    if (validate(schema, document, rules).length > 0) return null;
    const operation = getOperationAST(document, operationName)?.operation;
    if (operation !== OperationTypeNode.QUERY && operation !== OperationTypeNode.MUTATION) return null;
    const compiled = compileQuery(schema, document, operationName ?? '');
    if (!isCompiledQuery(compiled)) return null;
    const complete = defaultsOf(schema, document);
    const judged = (result: ExecutionResult): ExecutionResult | null => {
      if (!('data' in result)) return null;
      return result.errors === undefined ? result : withPlaces(result, document.loc?.source);
    };
    return (context, variables) => {
      const result = compiled.query(undefined, context, complete(variables ?? {}));
      return result instanceof Promise ? result.then(judged) : judged(result);
    };
  };

  return {
    find({ query: text, operationName }) {
      if (text === undefined || text === null || text.length > LONGEST_TEXT) return null;
      // A name holds no line break: no text with a name is another text without.
      const key = operationName === undefined || operationName === null ? text : `${operationName}\n${text}`;
      const entry = known.get(key) ?? { seen: 0, run: null };
      if (entry.seen < COMPILED_AT) {
        entry.seen += 1;
        if (entry.seen === COMPILED_AT) entry.run = compile(text, operationName ?? undefined);
        known.delete(key);
        known.set(key, entry);
        const [oldest] = known.keys();
        if (known.size > MOST_DOCUMENTS && oldest !== undefined) known.delete(oldest);
      }
      return entry.run;
    },
  };
}

type Values = Readonly<Record<string, unknown>>;

/**
 * Fills in what input objects leave out and have a default for: the compiler takes a left-out field of a type such as
 * `Int! = 1` for a mistake, and every createOrder would be Yoga's.
 */
function defaultsOf(schema: GraphQLSchema, document: DocumentNode): (variables: Values) => Values {
  const types = new Map<string, GraphQLInputType>();
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    for (const { variable, type: node } of definition.variableDefinitions ?? []) {
      const type = typeFromAST(schema, node);
      if (isInputType(type) && hasDefaults(type)) types.set(variable.name.value, type);
    }
  }
  if (types.size === 0) return (variables) => variables;
  return (variables) => {
    const entries = Object.entries(variables).map(([name, value]) => {
      const type = types.get(name);
      return [name, type === undefined ? value : withDefaults(type, value)] as const;
    });
    return Object.fromEntries(entries);
  };
}

/** Whether an input object of it, however deep, may leave out what then has a value. */
function hasDefaults(type: GraphQLInputType, above: readonly GraphQLInputType[] = []): boolean {
  const named = getNamedType(type);
  if (!isInputObjectType(named) || above.includes(named)) return false;
  return Object.values(named.getFields()).some(
    (field) => field.defaultValue !== undefined || hasDefaults(field.type, [...above, named]),
  );
}

function withDefaults(type: GraphQLInputType, value: unknown): unknown {
  const named = isNonNullType(type) ? type.ofType : type;
  if (isListType(named) && Array.isArray(value)) return value.map((item) => withDefaults(named.ofType, item));
  if (!isInputObjectType(named) || !isRecord(value)) return value;
  const filled: Record<string, unknown> = { ...value };
  for (const [name, field] of Object.entries(named.getFields())) {
    if (Object.hasOwn(value, name)) filled[name] = withDefaults(field.type, value[name]);
    else if (field.defaultValue !== undefined) {
      const node = astFromValue(field.defaultValue, field.type);
      if (node != null) filled[name] = valueFromASTUntyped(node);
    }
  }
  return filled;
}

function isRecord(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
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
