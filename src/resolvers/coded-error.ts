import { GraphQLError, Kind, type Token, TokenKind } from 'graphql';

/** What GraphQL servers call a request that cannot be read or does not fit the schema; here it is bad input as well. */
const FOREIGN_CODES: readonly unknown[] = [
  'BAD_REQUEST',
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'OPERATION_RESOLUTION_FAILURE',
];

/**
 * An error as the client gets it, by what GraphQL itself found wrong: a document that does not parse or validate, a
 * variable or an argument of the wrong type is BAD_USER_INPUT, with `field` where an input is at fault. An error that
 * has a code keeps it. One that comes back without a code is a fault of the program: to be logged and masked.
 */
export function codedError(error: GraphQLError): GraphQLError {
  const { code, field } = error.extensions;
  const isForeign = FOREIGN_CODES.includes(code);
  if (code === undefined ? !isOfRequest(error) : !isForeign && code !== 'BAD_USER_INPUT') return error;
  const named = typeof field === 'string' ? field : fieldOf(error);
  return new GraphQLError(error.message, {
    nodes: error.nodes ?? null,
    source: error.source ?? null,
    positions: error.positions ?? null,
    path: error.path ?? null,
    originalError: error.originalError ?? null,
    extensions: { ...error.extensions, code: 'BAD_USER_INPUT', ...(named === null ? {} : { field: named }) },
  });
}

/** Found by GraphQL in what was asked, not thrown by a resolver or found in what one returned. */
function isOfRequest(error: GraphQLError): boolean {
  let innermost: Error = error;
  while (innermost instanceof GraphQLError && innermost.originalError !== undefined) {
    innermost = innermost.originalError;
  }
  if (!(innermost instanceof GraphQLError)) return false;
  // While executing, only an argument's own error points at a value; what a resolver returned is blamed on its field.
  return error.path === undefined || error.nodes?.[0]?.kind !== Kind.FIELD;
}

/** The argument or input field at fault; null where none is, as in a syntax error. */
function fieldOf(error: GraphQLError): string | null {
  const { message } = error;
  const variable = /^Variable "\$(\w+)"/.exec(message)?.[1];
  if (variable !== undefined) {
    // graphql-js tells what is wrong inside of a variable in words alone.
    return missingField(message) ?? pathField(message) ?? usedAs(variable, error) ?? variable;
  }
  const argument = /argument "(\w+)" of type /.exec(message)?.[1];
  const node = error.nodes?.[0];
  if (node?.kind === Kind.ARGUMENT || node?.kind === Kind.OBJECT_FIELD) return node.name.value;
  return missingField(message) ?? argument ?? holderOf(node?.loc?.startToken);
}

/** `Field "quantity" is not defined by type …`, `Field "Input.quantity" of required type … was not provided.` */
function missingField(message: string): string | null {
  const match =
    /Field "(?:\w+\.)?(\w+)" (?:is not defined by type |of required type "[^"]*" was not provided\.$)/;
  return match.exec(message)?.[1] ?? null;
}

/** `… at "input.routing.minPrice"; …` and `… at "filter.countryIds[0]"; …` */
function pathField(message: string): string | null {
  const path = / at "\w+((?:\.\w+|\[\d+\])+)"; /.exec(message)?.[1];
  return path?.match(/\w+(?=(?:\[\d+\])*$)/)?.[0] ?? null;
}

/** The argument or input field that a variable stands for in the document: clients name variables as they like. */
function usedAs(variable: string, error: GraphQLError): string | null {
  const first = error.nodes?.[0]?.loc?.startToken;
  for (let token = first; token !== undefined && token !== null; token = token.next ?? undefined) {
    const isUse = token.kind === TokenKind.DOLLAR && token.next?.value === variable;
    const holder = isUse ? holderOf(token) : null;
    if (holder !== null) return holder;
  }
  return null;
}

/** The name before the colon that a value stands behind, out of any lists around it. */
function holderOf(value: Token | undefined): string | null {
  const before = value?.prev ?? null;
  if (before?.kind === TokenKind.COLON) return before.prev?.value ?? null;
  let depth = 0;
  for (let token = before; token !== null; token = token.prev) {
    if (token.kind === TokenKind.BRACKET_R || token.kind === TokenKind.BRACE_R) depth += 1;
    else if (token.kind === TokenKind.BRACKET_L && depth === 0) return holderOf(token);
    else if (token.kind === TokenKind.BRACKET_L || token.kind === TokenKind.BRACE_L) depth -= 1;
    if (depth < 0 || token.kind === TokenKind.PAREN_L) return null;
  }
  return null;
}
