import type { App } from '../app.ts';
import type { Config } from '../config.ts';

/** What a person needs after a start, each on a line of its own: name, blanks, value. */
export function banner(app: App, config: Config): readonly string[] {
  const line = (name: string, value: string): string => `  ${name.padEnd(10)} ${value}`;
  const graph = config.graphiql
    ? line('GraphiQL', `${app.url}/graphql`)
    : line('GraphQL', `${app.url}/graphql`);
  const page = line('Console', app.url);
  if (app.sandbox === null) return ['', '  Switchboard', '', page, graph, ''];
  const { url, key } = app.sandbox;
  return [
    '',
    '  Switchboard in sandbox mode: both upstreams are simulated, nothing costs anything',
    '',
    page,
    graph,
    line('Sandbox', url),
    line('API key', key ?? 'none, as HOST is open to other machines; make one: switchboard keys create'),
    '',
  ];
}
