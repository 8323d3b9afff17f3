// Hive Gateway over an OpenAPI description of the upstream: it keeps nothing, each question becomes a call of the upstream.
import { createServer } from 'node:http';
import { createGatewayRuntime } from '@graphql-hive/gateway';
import { composeSubgraphs } from '@graphql-mesh/fusion-composition';
import { loadNonExecutableGraphQLSchemaFromOpenAPI } from '@omnigraph/openapi';

const name = 'Upstream';
const schema = await loadNonExecutableGraphQLSchemaFromOpenAPI(name, {
  source: '../stub/openapi.json',
  cwd: import.meta.dirname,
  endpoint: process.env['UPSTREAM'] ?? '',
  operationHeaders: { authorization: 'Bearer bench-token' },
});
const { supergraphSdl, errors } = composeSubgraphs([{ name, schema }]);
if (errors !== undefined) throw new AggregateError(errors, 'the graph cannot be composed');

const gateway = createGatewayRuntime({ supergraph: supergraphSdl, logging: false });
createServer(gateway).listen(Number(process.env['PORT']), '127.0.0.1');
// The gateway listens to the signal to tidy up, and so keeps it from ending the process.
process.once('SIGTERM', () => process.exit());
