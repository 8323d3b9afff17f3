import { createSecretKey } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { dataDirectory } from '../app/cipher.ts';
import { consoleDirectory } from '../app/console-directory.ts';
import { readTrustedDocuments } from '../app/trusted-documents.ts';
import type { Config } from '../config.ts';
import { type Finding, note, ok, wrong } from './finding.ts';

const REDIS_PORT = 6379;
const REDIS_PATIENCE = 3_000;

/** What the configuration names and only the machine knows: files, and the address to listen on. */
export async function examineSurroundings(config: Config): Promise<readonly Finding[]> {
  return [
    ...examineKeyFile(config),
    ...(await examineDocuments(config)),
    ...(await examineRedis(config)),
    await examineAddress(config),
  ];
}

/** A key that was made here once, and then left out: what it has sealed is found unreadable only when somebody asks for it. */
function examineKeyFile({ database, encryptionKeys }: Config): readonly Finding[] {
  const file = join(dataDirectory(database), 'encryption.key');
  if (encryptionKeys.length === 0 || !existsSync(file)) return [];
  const made = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64');
  if (made.length === 32 && encryptionKeys.some((key) => key.equals(createSecretKey(made)))) return [];
  return [
    note(
      'encryption',
      `${file} holds a key that is not among ENCRYPTION_KEY: what it has sealed cannot be read. Add it behind the others and run switchboard reseal, or remove the file if that was done.`,
    ),
  ];
}

async function examineDocuments({ trustedDocumentsFile }: Config): Promise<readonly Finding[]> {
  if (trustedDocumentsFile === undefined) return [];
  try {
    const documents = readTrustedDocuments(trustedDocumentsFile, join(consoleDirectory(), 'documents.json'));
    const [{ schema }, { createTrustedDocuments }] = await Promise.all([
      import('../resolvers/index.ts'),
      import('../server/trusted-documents.ts'),
    ]);
    createTrustedDocuments(schema, documents);
    return [ok('documents', `${documents?.size ?? 0} are trusted, those of the console included`)];
  } catch (error) {
    return [wrong('documents', error instanceof Error ? error.message : 'they cannot be read')];
  }
}

/** Whether somebody is there. A gateway starts without: instances find news by themselves then, within a second. */
function examineRedis({ redisUrl }: Config): Promise<readonly Finding[]> {
  if (redisUrl === undefined) return Promise.resolve([]);
  const { hostname, port } = new URL(redisUrl);
  return new Promise((resolve) => {
    const socket = connect({
      host: hostname,
      port: Number(port === '' ? REDIS_PORT : port),
      timeout: REDIS_PATIENCE,
    });
    const end = (found: Finding): void => {
      socket.destroy();
      resolve([found]);
    };
    const away = wrong(
      'redis',
      'gives no answer. Is REDIS_URL right? Without it instances find news within a second, and not at once.',
    );
    socket.once('connect', () => end(ok('redis', 'is there')));
    socket.once('error', () => end(away));
    socket.once('timeout', () => end(away));
  });
}

function examineAddress({ host, port }: Config): Promise<Finding> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = `${host}:${port} is taken: by a gateway that serves, or by something else. Set PORT to another if so.`;
      resolve(
        error.code === 'EADDRINUSE'
          ? note('address', taken)
          : wrong(
              'address',
              `${host}:${port} cannot be listened on (${error.code ?? error.name}). Set HOST and PORT to what this machine and user may have.`,
            ),
      );
    });
    server.listen(port, host, () =>
      server.close(() => resolve(ok('address', `${host}:${port} can be listened on`))),
    );
  });
}
