import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  parse,
  type SelectionSetNode,
  type Source,
} from 'graphql';

/**
 * What a document may ask for. @escape.tech/graphql-armor was the other way: its rules stop at the first refusal with a
 * plain syntax error, know nothing of lists without `first`, and skip a fragment that is named __schema.
 */
export interface DocumentLimits {
  readonly depth: number;
  readonly aliases: number;
  readonly directives: number;
  /** Fields selected, fragments counted each time they are spread. */
  readonly fields: number;
  readonly tokens: number;
  /** Fields that an answer may come to hold: each counts once per element of the lists around it. */
  readonly cost: number;
}

/**
 * Room for every field of a page of a hundred orders with their messages, attempts and products (some 25,000), and for
 * the introspection query that GraphiQL sends (depth 15, 190 fields).
 */
export const documentLimits: DocumentLimits = {
  depth: 16,
  aliases: 50,
  directives: 50,
  fields: 1_000,
  tokens: 2_000,
  cost: 50_000,
};

/** Elements that a list without `first` is taken for; and a page whose `first` stands in a variable, unknown here. */
const LIST_GUESS = 10;
const PAGE_GUESS = 100;
const LARGEST_PAGE = 500;
/** They charge: two in one operation would be two charges that one retry repeats. */
const PAID_MUTATIONS: ReadonlySet<string> = new Set(['createOrder', 'reactivateOrder']);

interface Measure {
  readonly depth: number;
  readonly aliases: number;
  readonly directives: number;
  readonly fields: number;
  readonly cost: number;
  readonly paid: number;
}

const nothing: Measure = { depth: 0, aliases: 0, directives: 0, fields: 0, cost: 0, paid: 0 };

/** Why the document is refused (QUERY_TOO_COMPLEX, HTTP 400), or null. Takes time linear in the document, valid or not. */
export function refuseDocument(
  schema: GraphQLSchema,
  document: DocumentNode,
  limits: DocumentLimits,
): GraphQLError | null {
  const measure = createMeasure(schema, document);
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    const found = measure(definition);
    for (const name of ['depth', 'aliases', 'directives', 'fields', 'cost'] as const) {
      if (found[name] > limits[name])
        return tooComplex(`${WORDS[name]} is over the limit of ${limits[name]}.`);
    }
    if (found.paid > 1)
      return tooComplex('An operation may hold one mutation that charges; send one for each job.');
  }
  return null;
}

/** Parses, reading no more than `maxTokens`. @throws GraphQLError: a syntax error, or QUERY_TOO_COMPLEX. */
export function parseWithin(source: string | Source, maxTokens: number): DocumentNode {
  try {
    return parse(source, { maxTokens });
  } catch (error) {
    if (error instanceof GraphQLError && error.message.includes('Parsing aborted')) {
      throw tooComplex(
        `The query is longer than ${maxTokens} words and signs; long lists belong into variables.`,
      );
    }
    throw error;
  }
}

function tooComplex(why: string): GraphQLError {
  return new GraphQLError(why, {
    extensions: { code: 'QUERY_TOO_COMPLEX' },
  });
}

const WORDS = {
  depth: 'The depth of the query',
  aliases: 'The number of aliases',
  directives: 'The number of directives',
  fields: 'The number of fields',
  cost: 'What the query may come to return, with its lists and pages multiplied out,',
} as const;

function createMeasure(
  schema: GraphQLSchema,
  document: DocumentNode,
): (operation: OperationDefinitionNode) => Measure {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  // Each fragment is measured once: spread twice inside another, twenty times over, it would else take 2^20 steps.
  const measured = new Map<string, Measure>();

  const ofFragment = (name: string): Measure => {
    const known = measured.get(name);
    if (known !== undefined) return known;
    const fragment = fragments.get(name);
    if (fragment === undefined) return nothing;
    // A cycle comes to nothing here; validation refuses it.
    measured.set(name, nothing);
    const type = schema.getType(fragment.typeCondition.name.value);
    const found = plusDirectives(ofSelections(fragment.selectionSet, type), fragment);
    measured.set(name, found);
    return found;
  };

  const ofSelections = ({ selections }: SelectionSetNode, parent: GraphQLNamedType | undefined): Measure => {
    let total = nothing;
    for (const selection of selections) {
      switch (selection.kind) {
        case Kind.FIELD:
          total = plus(total, ofField(selection, parent));
          break;
        case Kind.INLINE_FRAGMENT: {
          const name = selection.typeCondition?.name.value;
          const type = name === undefined ? parent : schema.getType(name);
          total = plus(total, plusDirectives(ofSelections(selection.selectionSet, type), selection));
          break;
        }
        case Kind.FRAGMENT_SPREAD:
          total = plus(total, plusDirectives(ofFragment(selection.name.value), selection));
          break;
      }
    }
    return total;
  };

  const ofField = (field: FieldNode, parent: GraphQLNamedType | undefined): Measure => {
    const name = field.name.value;
    // Undefined for a field that is not there, and for `__schema` and `__type`: what is below them is bounded by the graph.
    const output =
      isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name]?.type : undefined;
    const type = getNamedType(output);
    const inner = field.selectionSet === undefined ? nothing : ofSelections(field.selectionSet, type);
    return {
      depth: inner.depth + 1,
      aliases: inner.aliases + (field.alias === undefined ? 0 : 1),
      directives: inner.directives + (field.directives?.length ?? 0),
      fields: inner.fields + 1,
      cost: 1 + elements(field, output, parent) * inner.cost,
      paid: inner.paid + (parent === schema.getMutationType() && PAID_MUTATIONS.has(name) ? 1 : 0),
    };
  };

  return (operation) =>
    plusDirectives(
      ofSelections(operation.selectionSet, schema.getRootType(operation.operation) ?? undefined),
      operation,
    );
}

/** How many of what is below the field an answer may hold. */
function elements(
  field: FieldNode,
  output: GraphQLOutputType | undefined,
  parent: GraphQLNamedType | undefined,
): number {
  if (isPage(getNamedType(output))) return pageSize(field);
  const isList = isListType(isNonNullType(output) ? output.ofType : output);
  // `edges` and `nodes` were multiplied with their page.
  return isList && !isPage(parent) ? LIST_GUESS : 1;
}

function isPage(type: GraphQLNamedType | undefined): boolean {
  return type?.name.endsWith('Connection') ?? false;
}

function pageSize(field: FieldNode): number {
  const first = field.arguments?.find((argument) => argument.name.value === 'first')?.value;
  if (first?.kind !== Kind.INT) return PAGE_GUESS;
  // What is past the bounds is refused by the field itself, as bad input.
  return Math.min(Math.max(Number(first.value), 1), LARGEST_PAGE);
}

function plus(a: Measure, b: Measure): Measure {
  return {
    depth: Math.max(a.depth, b.depth),
    aliases: a.aliases + b.aliases,
    directives: a.directives + b.directives,
    fields: a.fields + b.fields,
    cost: a.cost + b.cost,
    paid: a.paid + b.paid,
  };
}

function plusDirectives(
  measure: Measure,
  node: { readonly directives?: readonly unknown[] | undefined },
): Measure {
  const count = node.directives?.length ?? 0;
  return count === 0 ? measure : { ...measure, directives: measure.directives + count };
}
