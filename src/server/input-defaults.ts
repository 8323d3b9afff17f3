import {
  astFromValue,
  type DocumentNode,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  Kind,
  TypeInfo,
  typeFromAST,
  valueFromASTUntyped,
  visit,
  visitWithTypeInfo,
} from 'graphql';

type Values = Readonly<Record<string, unknown>>;

/**
 * Fills in what input objects leave out and have a default for: the compiler takes a left-out field of a type such as
 * `Int! = 1` for a mistake, and every createOrder would be Yoga's.
 */
export function defaultsOf(schema: GraphQLSchema, document: DocumentNode): (variables: Values) => Values {
  const types = variableTypes(schema, document, hasDefaults);
  if (types.size === 0) return (variables) => variables;
  return (variables) => {
    const entries = Object.entries(variables).map(([name, value]) => {
      const type = types.get(name);
      return [name, type === undefined ? value : withDefaults(type, value)] as const;
    });
    return Object.fromEntries(entries);
  };
}

/**
 * Whether a list stands where an input object belongs. The compiler takes one without elements for an object without
 * fields, and would execute what graphql refuses.
 */
export function listsForObjects(
  schema: GraphQLSchema,
  document: DocumentNode,
): (variables: Values) => boolean {
  const types = variableTypes(schema, document, (type) => isInputObjectType(getNamedType(type)));
  if (types.size === 0) return () => false;
  return (variables) => [...types].some(([name, type]) => hasListForObject(type, variables[name]));
}

/**
 * Whether null stands where a value must: a variable that may be null may stand there as long as one of the two has a default.
 * The compiler takes null for false in a list, for an error without a field's name elsewhere.
 */
export function nullsForValues(
  schema: GraphQLSchema,
  document: DocumentNode,
): (variables: Values) => boolean {
  const types = new TypeInfo(schema);
  const names = new Set<string>();
  const nullByDefault = new Set<string>();
  visit(
    document,
    visitWithTypeInfo(types, {
      VariableDefinition({ variable, defaultValue }) {
        if (defaultValue?.kind === Kind.NULL) nullByDefault.add(variable.name.value);
      },
      Variable({ name }) {
        if (isNonNullType(types.getInputType())) names.add(name.value);
      },
    }),
  );
  if (names.size === 0) return () => false;
  return (variables) =>
    [...names].some(
      (name) => variables[name] === null || (!Object.hasOwn(variables, name) && nullByDefault.has(name)),
    );
}

function hasListForObject(type: GraphQLInputType, value: unknown): boolean {
  const named = isNonNullType(type) ? type.ofType : type;
  if (isListType(named)) {
    const items: readonly unknown[] = Array.isArray(value) ? value : [value];
    return items.some((item) => hasListForObject(named.ofType, item));
  }
  if (!isInputObjectType(named)) return false;
  if (!isRecord(value)) return Array.isArray(value);
  return Object.entries(named.getFields()).some(
    ([name, field]) => Object.hasOwn(value, name) && hasListForObject(field.type, value[name]),
  );
}

function variableTypes(
  schema: GraphQLSchema,
  document: DocumentNode,
  matches: (type: GraphQLInputType) => boolean,
): ReadonlyMap<string, GraphQLInputType> {
  const types = new Map<string, GraphQLInputType>();
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    for (const { variable, type: node } of definition.variableDefinitions ?? []) {
      const type = typeFromAST(schema, node);
      if (isInputType(type) && matches(type)) types.set(variable.name.value, type);
    }
  }
  return types;
}

/** Whether an input object of it, however deep, may leave out what then has a value. */
function hasDefaults(type: GraphQLInputType): boolean {
  return hasDefaultsBelow(type, []);
}

function hasDefaultsBelow(type: GraphQLInputType, above: readonly GraphQLInputType[]): boolean {
  const named = getNamedType(type);
  if (!isInputObjectType(named) || above.includes(named)) return false;
  return Object.values(named.getFields()).some(
    (field) => field.defaultValue !== undefined || hasDefaultsBelow(field.type, [...above, named]),
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
