// The layers of the house (CONTRIBUTING.md, "Imports go one way"), executable. scripts/check-layers.ts runs them.

/** Which rooms of src/ each room may import beside itself. */
const mayImport = {
  domain: [],
  ports: ['domain'],
  flows: ['ports', 'domain'],
  workers: ['flows', 'ports', 'domain'],
  schema: ['domain'],
  resolvers: ['schema', 'flows', 'ports', 'domain'],
  server: ['resolvers', 'schema', 'flows', 'ports', 'domain'],
  store: ['ports', 'domain'],
  upstream: ['ports', 'domain'],
  wake: ['ports', 'domain'],
  'system-clock': ['ports', 'domain'],
  'system-random': ['ports', 'domain'],
  'aes-cipher': ['ports'],
  'otel-tracer': ['ports'],
  // A wire schema shared with the gateway would hide one misreading on both sides.
  sandbox: [],
  // Whoever needs a setting is handed its value: only app and cli know that there is a configuration.
  config: ['domain'],
};
const rooms = Object.keys(mayImport);
const roots = ['app', 'cli'];

/** Which rooms alone may import which packages. */
const packageRooms = [
  { packages: ['drizzle-orm', 'drizzle-kit', 'better-sqlite3'], only: ['store'] },
  { packages: ['pg'], only: ['store', 'wake'] },
  { packages: ['ioredis'], only: ['wake'] },
  {
    packages: [
      'graphql',
      'graphql-yoga',
      'graphql-ws',
      '@graphql-yoga',
      '@pothos',
      '@envelop',
      '@escape.tech',
    ],
    only: ['schema', 'resolvers', 'server'],
  },
  { packages: ['zod'], only: ['config', 'upstream', 'resolvers', 'server', 'sandbox'] },
  { packages: ['undici'], only: ['upstream', 'sandbox'] },
];

// Names, as types alone, what resolvers reach for: the one file of the nouns that looks up.
const graphContext = '^src/schema/context\\.ts$';

const room = (...names) => `^src/(${names.join('|')})(/|\\.ts$)`;
const packagePath = (...names) => `(^|node_modules/)(${names.join('|').replaceAll('.', '\\.')})(/|$)`;

const rules = [
  ...rooms.map((name) => ({
    name: `${name}-imports`,
    comment: `${name} imports ${['itself', ...mayImport[name]].join(', ')} and no other room.`,
    from: { path: room(name), pathNot: graphContext },
    to: { path: '^src/', pathNot: room(name, ...mayImport[name]) },
  })),
  {
    name: 'graph-context-imports',
    comment: 'The context names types of flows, ports and domain, and imports nothing that runs.',
    from: { path: graphContext },
    to: { path: '^src/', pathNot: room('schema', 'flows', 'ports', 'domain') },
  },
  {
    name: 'graph-context-types',
    comment: 'The context names types of flows, ports and domain, and imports nothing that runs.',
    from: { path: graphContext },
    to: { path: room('flows', 'ports'), dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'app-imports',
    comment: 'app is what cli starts, not the other way round.',
    from: { path: room('app') },
    to: { path: room('cli') },
  },
  {
    name: 'no-other-room',
    comment: 'A new room gets its line in the table, or the file belongs into a room that is there.',
    from: {},
    to: { path: '^src/', pathNot: room(...rooms, ...roots) },
  },
  {
    name: 'from-no-other-room',
    comment: 'A new room gets its line in the table, or the file belongs into a room that is there.',
    from: { path: '^src/', pathNot: room(...rooms, ...roots) },
    to: {},
  },
  ...packageRooms.map(({ packages, only }) => ({
    name: `${packages[0]}-rooms`,
    comment: `Only ${only.join(', ')} may import ${packages.join(', ')}.`,
    from: { path: '^src/', pathNot: room(...only) },
    to: { path: packagePath(...packages) },
  })),
  {
    name: 'no-packages-inside',
    comment: 'The domain, its ports, its flows and what runs them depend on no package.',
    from: { path: room('domain', 'ports', 'flows', 'workers') },
    to: { path: 'node_modules/' },
  },
  {
    name: 'domain-is-pure',
    comment: 'No I/O, no clock, no chance: nothing of Node, node:crypto included.',
    from: { path: room('domain') },
    to: { dependencyTypes: ['core'] },
  },
  ...[
    ['sqlite', 'postgres'],
    ['postgres', 'sqlite'],
  ].map(([from, to]) => ({
    name: `${from}-knows-no-${to}`,
    comment: 'Two stores, one meaning: what they share is the port, not code with a dialect flag.',
    from: { path: `^src/store/${from}/` },
    to: { path: `^src/store/${to}/` },
  })),
  {
    name: 'no-cycles',
    comment: 'Type-only ones included: files that need each other are one file, badly cut.',
    from: {},
    to: { circular: true },
  },
  {
    name: 'nothing-outside',
    comment: 'What ships depends on nothing that does not.',
    from: { path: '^src/' },
    to: { path: '^(test|scripts|examples|tools)/' },
  },
  {
    name: 'no-dev-dependencies',
    comment: 'What ships is installed without them.',
    from: { path: '^src/' },
    to: { dependencyTypes: ['npm-dev'] },
  },
  {
    name: 'resolvable',
    comment: 'Every import leads somewhere, and into a package that package.json names.',
    from: { path: '^src/' },
    to: { couldNotResolve: true },
  },
];

export default {
  forbidden: rules.map((rule) => ({ severity: 'error', ...rule })),
  options: {
    doNotFollow: { path: 'node_modules' },
    // Type-only imports count: `import type` from the wrong room is the wrong room.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
