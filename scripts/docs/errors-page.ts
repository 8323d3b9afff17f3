import { type GraphQLEnumType, type GraphQLSchema, isEnumType, isInterfaceType } from 'graphql';
import { errorCodes } from './error-codes.ts';
import { table } from './markdown.ts';

/** What is an answer and no error: each outcome with its meaning, out of the graph's own descriptions. */
export function errorsPage(schema: GraphQLSchema): string {
  const types = Object.values(schema.getTypeMap());
  const outcomes = types.filter(isInterfaceType).filter(({ name }) => name.endsWith('Outcome'));
  const enums = types.filter(isEnumType).filter(isReason);
  return `# Errors and outcomes

<!-- Made by "npm run docs" from the sources and schema.graphql: change it there. -->

What can be expected to happen is no error: it is a type of the answer, and stands under [outcomes](#outcomes). An error in
\`errors[]\` is something that could have been known better, or something that is broken. Its \`extensions.code\` tells which;
the message is for people, and may change.

After any error, and after none at all because the connection broke, \`createOrder\` and \`reactivateOrder\` may be asked for again
with the same \`businessJobId\`: a job is ordered and charged once. Cancel, finish and resend read the order first, and may be asked
for again, too.

## Codes

${table(
  ['code', 'HTTP', 'means', 'do', 'extensions'],
  Object.entries(errorCodes).map(([code, { httpStatus, meaning, whatToDo, extensions }]) => [
    `\`${code}\``,
    httpStatus,
    meaning,
    whatToDo,
    extensions === '' ? '-' : extensions,
  ]),
)}

"200" stands for: the request was executed, and the field at \`path\` failed; others may have data beside it.

## Codes of closing a WebSocket

${table(
  ['code', 'means', 'do'],
  [
    [
      '1001',
      'The gateway goes away: a restart, mostly.',
      'Connect again, and resume behind the last revision or cursor.',
    ],
    ['1009', 'A message was larger than the gateway takes.', 'Send less at once.'],
    ['1013', 'The gateway could not work on a message just now.', 'Connect again a little later.'],
    ['4400', 'A message was none of the protocol.', 'Mend the client.'],
    ['4401', 'Something was asked for before the connection was acknowledged.', 'Wait for `connection_ack`.'],
    ['4403', 'The key is not good, or is not any more.', 'Another key. Do not try again with this one.'],
    ['4406', 'Not the subprotocol `graphql-transport-ws`.', 'Use a client that speaks it.'],
    ['4408', 'No `connection_init` came within three seconds.', 'Send it at once.'],
    ['4409', 'The id of the operation is in use.', 'Mend the client.'],
    ['4429', '`connection_init` came twice.', 'Mend the client.'],
  ],
)}

## Outcomes

Select \`__typename\`, and what you need of each. An outcome that is added later still answers what stands on the interface.

${outcomes.map((outcome) => outcomeSection(schema, outcome.name)).join('\n\n')}

## Reasons and states

${enums.map(enumSection).join('\n\n')}
`;
}

function outcomeSection(schema: GraphQLSchema, name: string): string {
  const outcome = schema.getType(name);
  if (!isInterfaceType(outcome)) throw new Error(`${name} is no interface`);
  const mutations = Object.values(schema.getMutationType()?.getFields() ?? {});
  const queries = Object.values(schema.getQueryType()?.getFields() ?? {});
  const askedBy = [...mutations, ...queries]
    .filter((field) => String(field.type).replace('!', '') === name)
    .map((field) => `\`${field.name}\``);
  const rows = schema
    .getPossibleTypes(outcome)
    .map((type) => [
      `\`${type.name}\``,
      type.description ?? '',
      Object.keys(type.getFields())
        .map((field) => `\`${field}\``)
        .join(', '),
    ])
    .sort(([one = ''], [other = '']) => one.localeCompare(other));
  return `### ${name}

Of ${askedBy.join(' and ')}. ${outcome.description ?? ''}

${table(['outcome', 'means', 'has'], rows)}`;
}

/** Enums that say why or where, and not what to sort or group by. */
function isReason({ name }: GraphQLEnumType): boolean {
  return /(Code|Reason|State|Status)$/.test(name) && !name.startsWith('__');
}

function enumSection(type: GraphQLEnumType): string {
  return `### ${type.name}

${type.description ?? ''}

${table(
  ['value', 'means'],
  type.getValues().map(({ name, description }) => [`\`${name}\``, description ?? '']),
)}`;
}
