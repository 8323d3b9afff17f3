// Both upstreams as the product simulates them, on PORT.
import { join } from 'node:path';

const cli = join(process.env['PRODUCT_DIST'] ?? '', 'cli.js');
process.env['SANDBOX_PORT'] = process.env['PORT'] ?? '';
process.argv.splice(1, process.argv.length, cli, 'sandbox');
await import(cli);
