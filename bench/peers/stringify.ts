// No GraphQL at all: bare node:http that parses the variables, cuts the page and prints it with JSON.stringify.
import { createServer } from 'node:http';
import { nodeOf, pageOf } from './graph.ts';

createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    if (request.method !== 'POST') return response.writeHead(404).end();
    const { variables } = JSON.parse(String(Buffer.concat(parts)));
    const { nodes, pageInfo } = pageOf(variables);
    const text = JSON.stringify({ data: { catalogProducts: { nodes: nodes.map(nodeOf), pageInfo } } });
    response.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(text),
    });
    return response.end(text);
  });
}).listen(Number(process.env['PORT']), '127.0.0.1');
