import { expect, it } from 'vitest';
import { makeLog } from '../../server/log.ts';

const lineOf = (write: (log: ReturnType<typeof makeLog>) => void) => {
  let text = '';
  write(makeLog('info', { write: (line) => (text += line) }));
  const { time: _time, ...line } = JSON.parse(text);
  return line;
};

it('hides what is named like a secret, at the top and one level below, and changes nothing else', () => {
  const fields = {
    token: 'a',
    path: '/',
    sent: { Authorization: 'kept', authorization: 'b', ms: 3 },
    none: null,
  };
  const before = structuredClone(fields);
  expect(lineOf((log) => log.info(fields, 'sent'))).toEqual({
    level: 'info',
    token: '[hidden]',
    path: '/',
    sent: { Authorization: 'kept', authorization: '[hidden]', ms: 3 },
    none: null,
    msg: 'sent',
  });
  expect(fields).toEqual(before);
});

it('says of an error what happened, without what a library attached to it', () => {
  const err = Object.assign(new TypeError('broken', { cause: new Error('below') }), {
    code: 'E1',
    request: { password: 'a' },
  });
  expect(lineOf((log) => log.info({ err }, 'failed')).err).toMatchObject({
    name: 'TypeError',
    message: 'broken',
    code: 'E1',
    cause: { message: 'below' },
  });
  expect(JSON.stringify(lineOf((log) => log.info({ err }, 'failed')))).not.toContain('password');
});

it('hides a secret in an error given alone, and in a child', () => {
  expect(lineOf((log) => log.info(new Error('broken'))).err.message).toBe('broken');
  expect(lineOf((log) => log.child({ reqId: 'req-1' }).info({ key: 'a' }, 'x'))).toMatchObject({
    reqId: 'req-1',
    key: '[hidden]',
  });
});
