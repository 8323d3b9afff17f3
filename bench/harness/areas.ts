/** What a share of the time is for, by the file that the time was spent in; the first that fits. */
const areas: readonly (readonly [name: string, source: RegExp])[] = [
  ['commits', /^src\/store\/sqlite\/writer\.ts/],
  [
    'sealing and signatures',
    /^src\/(?:aes-cipher|store\/sealed|app\/cipher)|^node:internal\/crypto|^node:crypto/,
  ],
  ['the store: statements and rows', /^src\/store|better-sqlite3|drizzle-orm/],
  ['calling the upstream', /^src\/upstream|\/undici\/|^wasm:/],
  ['the log', /^src\/server\/(?:json-log|request-log)|\/(?:pino|sonic-boom|thread-stream)\//],
  ['metrics', /^src\/server\/prometheus|\/prom-client\//],
  ['spans (no tracer)', /@opentelemetry/],
  ['WebSocket', /\/(?:ws|graphql-ws)\/|^src\/server\/websocket/],
  [
    'the graph: parsing, executing, printing',
    /^src\/(?:resolvers|schema)|\/(?:graphql|graphql-jit|graphql-yoga|@pothos|@envelop|dataloader)\/|^$/,
  ],
  ['the edge', /^src\/server/],
  ['flows and workers', /^src\/(?:flows|workers|domain|wake)|^src\/[^/]+\.ts/],
  ['Node: HTTP, sockets, streams, timers', /^node:/],
  ['packages', /node_modules/],
];

const natives: Readonly<Record<string, string>> = {
  '(garbage collector)': 'collecting garbage',
  '(program)': 'Node, natively',
  runMicrotasks: 'promises',
};

export function areaOf(source: string, functionName: string): string {
  const native = natives[functionName];
  if (native !== undefined) return native;
  if (source === '' && /^(?:write|read|shutdown|open|close|getsock|accept)/.test(functionName))
    return 'the kernel: sockets';
  return areas.find(([, pattern]) => pattern.test(source))?.[0] ?? source;
}
