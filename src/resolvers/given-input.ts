import { type GraphQLResolveInfo, Kind, type ValueNode } from 'graphql';

/**
 * Whether the client wrote down this field of an input object itself, or the schema's default filled it in: what is
 * left out the second time a job is asked for is no difference (gateway.md, Inputs). `rawVariables` as sent, before
 * coercion. Where it cannot be told, the field counts as given, so that no value of the client's is passed over.
 */
export function isFieldGiven(
  info: Pick<GraphQLResolveInfo, 'fieldNodes' | 'operation' | 'variableValues'>,
  rawVariables: Readonly<Record<string, unknown>> | null,
  argument: string,
  field: string,
): boolean {
  // A field asked for twice, in fragments say, has the same arguments each time: validation sees to it.
  const input = info.fieldNodes[0]?.arguments?.find((node) => node.name.value === argument)?.value;
  if (input === undefined) return false;
  if (input.kind === Kind.OBJECT) return isInLiteral(input, field, info.variableValues);
  if (input.kind !== Kind.VARIABLE) return true;

  const name = input.name.value;
  if (rawVariables !== null && Object.hasOwn(rawVariables, name)) {
    const sent = rawVariables[name];
    return typeof sent !== 'object' || sent === null || Object.hasOwn(sent, field);
  }
  const definition = info.operation.variableDefinitions?.find((node) => node.variable.name.value === name);
  const byDefault = definition?.defaultValue;
  return byDefault?.kind === Kind.OBJECT ? isInLiteral(byDefault, field, info.variableValues) : true;
}

function isInLiteral(
  input: Extract<ValueNode, { kind: Kind.OBJECT }>,
  field: string,
  variables: Readonly<Record<string, unknown>>,
): boolean {
  const value = input.fields.find((node) => node.name.value === field)?.value;
  if (value === undefined) return false;
  // A variable that was not sent leaves the field out. Here the coerced ones do: a default in the operation is the client's own.
  return value.kind !== Kind.VARIABLE || Object.hasOwn(variables, value.name.value);
}
