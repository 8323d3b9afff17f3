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
  typeFromAST,
  valueFromASTUntyped,
} from 'graphql';

type Values = Readonly<Record<string, unknown>>;

/**
 * Fills in what input objects leave out and have a default for: the compiler takes a left-out field of a type such as
 * `Int! = 1` for a mistake, and every createOrder would be Yoga's.
 */
export function defaultsOf(schema: GraphQLSchema, document: DocumentNode): (variables: Values) => Values {
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
