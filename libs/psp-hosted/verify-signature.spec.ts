import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { verifySignature, verifyWith } from './verify-signature.js';

const SECRET = 'ab'.repeat(32);
const OLD_SECRET = '0c'.repeat(32);
const NOW = 1_772_366_400;
const BODY = Buffer.from('{"id":"evt_1","type":"payment.authorized","data":{"note":"é"}}');

const sign = (t: number | string, body: Uint8Array = BODY, secret = SECRET): string =>
  createHmac('sha256', Buffer.from(secret, 'hex')).update(`${t}.`).update(body).digest('hex');

const verify = (header: string | undefined, overrides: { nowSeconds?: number } = {}): boolean =>
  verifySignature({ header, rawBody: BODY, secret: SECRET, nowSeconds: NOW, ...overrides });

const signed = (t: number): string => `t=${t},v1=${sign(t)}`;

describe('a webhook signature', () => {
  test('equals an independently computed value', () => {
    const header =
      't=1700000000,v1=685fd94daae9876bee7677b7da0444a357de619b337da50ae13e7f5509a6af84';
    const rawBody = Buffer.from('{"a":1}');
    const secret = '00'.repeat(31) + '01';
    expect(verifySignature({ header, rawBody, secret, nowSeconds: 1_700_000_000 })).toBe(true);
  });

  test('is valid for the signed body and time', () => {
    expect(verify(signed(NOW))).toBe(true);
  });

  test.each([
    [-61, false],
    [-60, true],
    [0, true],
    [60, true],
    [61, false],
  ])('made %i s from now is accepted: %s', (offsetSeconds, taken) => {
    expect(verify(signed(NOW + offsetSeconds))).toBe(taken);
  });

  test('is accepted only within the given tolerance', () => {
    const base = { rawBody: BODY, secret: SECRET, nowSeconds: NOW };
    const header = signed(NOW - 5);
    expect(verifySignature({ ...base, header, toleranceSeconds: 5 })).toBe(true);
    expect(verifySignature({ ...base, header, toleranceSeconds: 4 })).toBe(false);
  });

  test('is rejected if the clock is not a number', () => {
    expect(verify(signed(NOW), { nowSeconds: Number.NaN })).toBe(false);
  });

  test('is accepted in capital letters, with the pairs of the header in any order and spaces after the commas', () => {
    expect(verify(`t=${NOW},v1=${sign(NOW).toUpperCase()}`)).toBe(true);
    expect(verify(`v1=${sign(NOW)}, t=${NOW}`)).toBe(true);
  });

  test('made with a different secret is rejected', () => {
    expect(verify(`t=${NOW},v1=${sign(NOW, BODY, OLD_SECRET)}`)).toBe(false);
  });

  test('with a time that was changed after signing is rejected', () => {
    expect(verify(`t=${NOW + 1},v1=${sign(NOW)}`)).toBe(false);
  });

  test.each(['', 'ab'.repeat(8) + 'c', 'xyz', ' '])('with the secret %j is rejected', (secret) => {
    const key = Buffer.from(secret, 'hex');
    const v1 = createHmac('sha256', key).update(`${NOW}.`).update(BODY).digest('hex');
    const header = `t=${NOW},v1=${v1}`;
    expect(verifySignature({ header, rawBody: BODY, secret, nowSeconds: NOW })).toBe(false);
  });
});

describe('signature versions in one header', () => {
  const v1 = `v1=${sign(NOW)}`;
  const wrong = `v1=${'0'.repeat(64)}`;

  test('are skipped if they are unknown, before or after a known version', () => {
    expect(verify(`t=${NOW},v3=abc,${v1},v2=,scheme=hmac`)).toBe(true);
  });

  test('are rejected if all of them are unknown', () => {
    expect(verify(`t=${NOW},v2=${sign(NOW)}`)).toBe(false);
    expect(verify(`t=${NOW}`)).toBe(false);
  });

  test.each(['v0', 'v01', 'V1', 'v1.0', 'v', 'v1000000'])(
    'do not count as v1 if their name is %s',
    (name) => {
      expect(verify(`t=${NOW},${name}=${sign(NOW)}`)).toBe(false);
    },
  );

  test('may include v1 twice while the secret is rotated, and one valid v1 is enough', () => {
    expect(verify(`t=${NOW},${wrong},${v1}`)).toBe(true);
    expect(verify(`t=${NOW},${v1},v1=nothex`)).toBe(true);
    expect(verify(`t=${NOW},${wrong},v1=nothex`)).toBe(false);
  });

  describe('once a second version is supported', () => {
    const schemes = new Map(
      [1, 2].map(
        (version) => [version, (_: unknown, value: string) => value === `good${version}`] as const,
      ),
    );
    const decide = (signatures: string): boolean =>
      verifyWith(schemes, {
        header: `t=${NOW},${signatures}`,
        rawBody: BODY,
        secret: SECRET,
        nowSeconds: NOW,
      });

    test('are decided only by the highest supported version', () => {
      expect(decide('v1=good1,v2=good2')).toBe(true);
      expect(decide('v1=bad,v2=good2')).toBe(true);
      expect(decide('v1=good1,v2=bad')).toBe(false);
      expect(decide('v2=bad,v2=good2,v1=bad')).toBe(true);
      expect(decide('v1=good1,v3=whatever')).toBe(true);
      expect(decide('v1=good1')).toBe(true);
    });
  });
});

describe('a malformed header', () => {
  const v1 = `v1=${sign(NOW)}`;
  const malformed: readonly (string | undefined)[] = [
    undefined,
    '',
    ',',
    't',
    '=',
    `t=${NOW}`,
    v1,
    `t=,${v1}`,
    `t=abc,${v1}`,
    `t=-1,${v1}`,
    `t=${NOW}.0,${v1}`,
    `t=0${NOW},v1=${sign(`0${NOW}`)}`,
    `t=${NOW},t=${NOW},${v1}`,
    `t=${NOW},${v1},`,
    `t=${NOW},,${v1}`,
    `t=${NOW};${v1}`,
    `t=${NOW},v1`,
    `t=${NOW},v1=`,
    `t=${NOW},v1 = ${sign(NOW)}`,
    `t=${NOW},v1=${sign(NOW).slice(1)}`,
    `t=${NOW},${v1}00`,
    `t=${NOW},${v1},${'v9=a,'.repeat(1_000)}v9=a`,
    `t=${'9'.repeat(400)},${v1}`,
  ];
  test.each(malformed.map((header) => [(header ?? 'none').slice(0, 24), header]))(
    'is rejected without an exception: %s…',
    (_name, header) => {
      expect(verify(header)).toBe(false);
    },
  );

  test('is rejected without an exception if it was sent twice and arrives as a list', () => {
    const header = [signed(NOW), signed(NOW)] as unknown as string;
    expect(verify(header)).toBe(false);
  });
});

describe('for any body, secret and time', () => {
  const bytes = fc.uint8Array({ minLength: 1, maxLength: 300 });
  const secrets = fc
    .uint8Array({ minLength: 1, maxLength: 64 })
    .map((key) => Buffer.from(key).toString('hex'));
  const times = fc.integer({ min: 0, max: 4_000_000_000 });

  test('a correct signature is accepted within the tolerance, and rejected outside it', () => {
    fc.assert(
      fc.property(
        bytes,
        secrets,
        times,
        fc.integer({ min: -120, max: 120 }),
        (rawBody, secret, t, driftSeconds) => {
          const header = `t=${t},v1=${sign(t, rawBody, secret)}`;
          const taken = verifySignature({ header, rawBody, secret, nowSeconds: t + driftSeconds });
          expect(taken).toBe(Math.abs(driftSeconds) <= 60);
        },
      ),
    );
  });

  test('a signature is rejected after one bit of the body or the signature was changed', () => {
    fc.assert(
      fc.property(
        bytes,
        secrets,
        times,
        fc.nat(),
        fc.boolean(),
        (rawBody, secret, t, at, inBody) => {
          const signature = Buffer.from(sign(t, rawBody, secret), 'hex');
          const altered = Buffer.from(rawBody);
          const target = inBody ? altered : signature;
          const index = at % target.length;
          target[index] = (target[index] ?? 0) ^ (1 << (at % 8));
          const header = `t=${t},v1=${signature.toString('hex')}`;
          expect(verifySignature({ header, rawBody: altered, secret, nowSeconds: t })).toBe(false);
        },
      ),
    );
  });

  test('a correct signature is accepted even with unknown pairs before or after it', () => {
    const junk = fc.array(
      fc.tuple(fc.integer({ min: 2, max: 999 }), fc.stringMatching(/^[0-9a-z]{0,20}$/)),
      { maxLength: 10 },
    );
    fc.assert(
      fc.property(junk, junk, times, (before, after, t) => {
        const pairs = (list: [number, string][]): string[] =>
          list.map(([version, value]) => `v${version}=${value}`);
        const header = [...pairs(before), `t=${t}`, `v1=${sign(t)}`, ...pairs(after)].join(',');
        expect(verify(header, { nowSeconds: t })).toBe(true);
      }),
    );
  });

  test('a header made without the secret is rejected, and no header makes the verification throw', () => {
    const pieces = fc.constantFrom('t', 'v1', 'v2', '=', ',', ' ', `${NOW}`, 'ff'.repeat(32), '\0');
    const text = fc.oneof(
      fc.string(),
      fc.array(pieces).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(text, (header) => {
        expect(verify(header)).toBe(false);
      }),
      { numRuns: 1_000 },
    );
  });
});
