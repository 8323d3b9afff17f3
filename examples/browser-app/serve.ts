// Serves the page and the one library it uses. The gateway must know the page's origin:
//
//   CORS_ORIGINS=http://127.0.0.1:4020 npm start
//   npx tsx examples/browser-app/serve.ts
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = import.meta.dirname;
const library = dirname(fileURLToPath(import.meta.resolve('graphql-ws/client')));
const types = { html: 'text/html', js: 'text/javascript' } as const;

const server = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://page');
  // A name alone, never a path: nothing outside of these two directories is served.
  const name = basename(pathname) || 'index.html';
  const file = join(pathname.startsWith('/graphql-ws/') ? library : here, name);
  const type = name.endsWith('.js') ? types.js : types.html;
  readFile(file).then(
    (bytes) => response.writeHead(200, { 'content-type': `${type}; charset=utf-8` }).end(bytes),
    () => response.writeHead(404).end(),
  );
});
server.listen(Number(process.env['PAGE_PORT'] ?? 4020), '127.0.0.1', () => {
  const address = server.address();
  if (address instanceof Object) process.stdout.write(`http://127.0.0.1:${address.port}/\n`);
});
