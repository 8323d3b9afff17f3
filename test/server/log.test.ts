import { describe, expect, test } from 'vitest';
import { createJsonLog } from '../../src/server/json-log.ts';
import { createTerminalLog } from '../../src/server/terminal-log.ts';
import { createFakeClock } from '../support/fake-clock.ts';

function lines() {
  const written: string[] = [];
  return { written, sink: { write: (line: string) => written.push(line) } };
}

describe('JSON lines', () => {
  test('one an event, with level, time, message and the fields of its scene', () => {
    const { written, sink } = lines();
    createJsonLog('info', sink)
      .child({ requestId: 'r1' })
      .info('done\nnot a line of its own', { status: 200 });
    expect(written).toHaveLength(1);
    expect(written[0]?.match(/\n/g)).toHaveLength(1);
    expect(JSON.parse(written[0] ?? '')).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      requestId: 'r1',
      status: 200,
      msg: 'done\nnot a line of its own',
    });
  });

  test('an error is told by its stack and its causes, without whatever else hangs on it', () => {
    const { written, sink } = lines();
    const cause = Object.assign(new TypeError('inner'), { headers: { authorization: 'Bearer secret' } });
    createJsonLog('info', sink).error('it broke', {}, new Error('outer', { cause }));
    const { error, stack } = JSON.parse(written[0] ?? '');
    expect(error).toBe('Error');
    expect(stack).toMatch(/^Error: outer\n.*caused by: TypeError: inner/s);
    expect(written[0]).not.toContain('secret');
  });

  test('the parameters of a failed query are left out', () => {
    const { written, sink } = lines();
    const error = new Error(
      'Failed query: insert into "sms" values (?, ?)\nparams: +62811,Your code is 4711\n    at here',
    );
    createJsonLog('info', sink).error('it broke', {}, error);
    expect(written[0]).toContain('Failed query');
    expect(written[0]).not.toMatch(/62811|4711/);
    expect(JSON.parse(written[0] ?? '').stack).toContain('log.test.ts');
  });

  test('what is below the level is not written', () => {
    const { written, sink } = lines();
    const log = createJsonLog('warn', sink);
    log.debug('a');
    log.info('b');
    log.warn('c');
    expect(written).toHaveLength(1);
    createJsonLog('silent', sink).error('d');
    expect(written).toHaveLength(1);
  });
});

describe('lines for a terminal', () => {
  test('tell the same, and bring no control characters of others', () => {
    const { written, sink } = lines();
    const log = createTerminalLog('info', sink, createFakeClock()).child({ requestId: 'r1' });
    log.debug('quiet');
    log.warn('bad \u001b[2J\nnews', { name: 'x\u001b[0m', missing: undefined });
    expect(written).toHaveLength(1);
    expect(written[0]).toContain('WARN');
    expect(written[0]).toContain('requestId=');
    expect(written[0]).not.toContain('\u001b[2J');
    expect(written[0]).not.toContain('x\u001b[0m');
    expect(written[0]).not.toContain('missing');
  });
});
