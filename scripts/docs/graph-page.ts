import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  type GraphQLType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isScalarType,
} from 'graphql';
import { anchorOf, table } from './markdown.ts';

/** The whole graph for reading: what schema.graphql says, with links. */
export function graphPage(schema: GraphQLSchema): string {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].filter(
    (type) => type instanceof Object,
  );
  const types = Object.values(schema.getTypeMap()).filter(
    ({ name }) => !name.startsWith('__') && !roots.some((root) => root.name === name),
  );
  const parts: readonly (readonly [title: string, types: readonly GraphQLNamedType[]])[] = [
    ['Interfaces', types.filter(isInterfaceType)],
    ['Objects', types.filter(isObjectType)],
    ['Inputs', types.filter(isInputObjectType)],
    ['Enums', types.filter(isEnumType)],
    ['Scalars', types.filter(isScalarType)],
  ];
  return `# The graph

<!-- Made by "npm run docs" from schema.graphql: change it in src/schema and src/resolvers. -->

Everything that can be asked of \`/graphql\`, as [schema.graphql](../../schema.graphql) has it. \`!\` means never null, \`[T!]!\` a list. What the
outcomes mean together is told in [errors.md](../errors.md).

${roots.map((root) => rootSection(root.name, Object.values(root.getFields()), root.description ?? '')).join('\n\n')}

${parts.map(([title, members]) => `## ${title}\n\n${members.map((type) => typeSection(schema, type)).join('\n\n')}`).join('\n\n')}
`;
}

type Field = GraphQLField<unknown, unknown>;

function rootSection(name: string, fields: readonly Field[], description: string): string {
  return `## ${name}\n\n${description}\n\n${fields.map(rootField).join('\n\n')}`;
}

function rootField({ name, type, args, description }: Field): string {
  const list = args.length === 0 ? '' : `\n\n${argumentTable(args)}`;
  return `### ${name}\n\n${description ?? ''}\n\nReturns ${linked(type)}.${list}`;
}

function argumentTable(args: readonly GraphQLArgument[]): string {
  return table(
    ['argument', 'type', 'default', ''],
    args.map(({ name, type, defaultValue, description }) => [
      `\`${name}\``,
      linked(type),
      defaultValue === undefined ? '-' : `\`${JSON.stringify(defaultValue)}\``,
      description ?? '',
    ]),
  );
}

function typeSection(schema: GraphQLSchema, type: GraphQLNamedType): string {
  const head = `### ${type.name}\n\n${type.description ?? ''}`;
  if (isEnumType(type)) {
    const rows = type.getValues().map(({ name, description }) => [`\`${name}\``, description ?? '']);
    return `${head}\n\n${table(['value', ''], rows)}`;
  }
  if (isInputObjectType(type)) {
    const rows = Object.values(type.getFields()).map((field) => [
      `\`${field.name}\``,
      linked(field.type),
      field.defaultValue === undefined ? '-' : `\`${JSON.stringify(field.defaultValue)}\``,
      field.description ?? '',
    ]);
    return `${head}\n\n${table(['field', 'type', 'default', ''], rows)}`;
  }
  if (!isObjectType(type) && !isInterfaceType(type)) return head;
  const rows = Object.values(type.getFields()).map((field) => [
    field.args.length === 0
      ? `\`${field.name}\``
      : `\`${field.name}(${field.args.map(({ name }) => name).join(', ')})\``,
    linked(field.type),
    field.description ?? '',
  ]);
  return `${head}${kinship(schema, type)}\n\n${table(['field', 'type', ''], rows)}`;
}

function kinship(schema: GraphQLSchema, type: GraphQLNamedType): string {
  if (isInterfaceType(type)) {
    const members = schema.getPossibleTypes(type).map(({ name }) => name);
    return `\n\nOne of ${members.sort().map(link).join(', ')}.`;
  }
  if (!isObjectType(type) || type.getInterfaces().length === 0) return '';
  return `\n\nOne kind of ${type
    .getInterfaces()
    .map(({ name }) => link(name))
    .join(', ')}.`;
}

/** The type as written, with a link to what it is made of. */
function linked(type: GraphQLType): string {
  const { name } = getNamedType(type);
  const [before = '', after = ''] = String(type).split(name);
  return `${before.replace('[', '\\[')}${link(name)}${after.replace(']', '\\]')}`;
}

function link(name: string): string {
  return `[${name}](#${anchorOf(name)})`;
}
