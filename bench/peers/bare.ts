// The limit: node:http that reads the request's body and sends bytes made beforehand (BYTES, in base64).
import { createServer } from 'node:http';

const bytes = Buffer.from(process.env['BYTES'] ?? '', 'base64');
createServer((request, response) => {
  request.on('data', () => undefined);
  request.on('end', () => {
    response.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': bytes.length,
    });
    response.end(bytes);
  });
}).listen(Number(process.env['PORT']), '127.0.0.1');
