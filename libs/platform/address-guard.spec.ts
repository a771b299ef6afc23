import type { LookupAddress } from 'node:dns';
import {
  guardedLookup,
  isAllowedAddress,
  refusedAddressesFromEnv,
  refuseWrittenAddress,
} from './address-guard.js';

const PUBLIC = { allowsLoopback: false };
const DEVELOPMENT = { allowsLoopback: true };

test.each([
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.9.9',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  'fe80::1',
  'fc00::1',
  'ff02::1',
  '::ffff:10.0.0.1',
  '::ffff:127.0.0.1',
  '64:ff9b::a00:1',
  '2001:db8::1',
  '2002:a00:1::',
  'not an address',
])('a webhook URL with the IP address %s is rejected', (address) => {
  expect(isAllowedAddress(address, PUBLIC)).toBe(false);
});

test.each(['93.184.216.34', '172.32.0.1', '2606:2800:220:1::1'])(
  'a webhook URL with the public IP address %s is allowed',
  (address) => {
    expect(isAllowedAddress(address, PUBLIC)).toBe(true);
  },
);

test('a loopback IP address is allowed only when configured', () => {
  for (const address of ['127.0.0.1', '127.9.9.9', '::1']) {
    expect([isAllowedAddress(address, PUBLIC), isAllowedAddress(address, DEVELOPMENT)]).toEqual([
      false,
      true,
    ]);
  }
  expect(() => refuseWrittenAddress(new URL('https://[::1]/'), PUBLIC)).toThrow('public');
  expect(() => refuseWrittenAddress(new URL('https://[::1]/'), DEVELOPMENT)).not.toThrow();
});

test('no socket is opened for a host name that resolves to a rejected IP address', async () => {
  const resolve = (allowsLoopback: boolean) =>
    new Promise<string | LookupAddress[]>((done, fail) => {
      guardedLookup({ allowsLoopback })('localhost', { all: true }, (error, addresses) => {
        if (error === null) done(addresses);
        else fail(error);
      });
    });
  await expect(resolve(false)).rejects.toThrow('resolves to');
  expect(await resolve(true)).toContainEqual({ address: '127.0.0.1', family: 4 });
});

describe('WEBHOOKS_REFUSED_CIDRS', () => {
  afterEach(() => {
    delete process.env['WEBHOOKS_REFUSED_CIDRS'];
  });

  test('names public networks to which no webhook is sent', () => {
    process.env['WEBHOOKS_REFUSED_CIDRS'] = '93.184.216.0/24, 2606:2800:220::/48';
    const allowed = { allowsLoopback: false, refused: refusedAddressesFromEnv() };
    for (const address of ['93.184.216.34', '2606:2800:220:1::1']) {
      expect(isAllowedAddress(address, allowed)).toBe(false);
    }
    for (const address of ['93.184.217.34', '2606:2800:221:1::1']) {
      expect(isAllowedAddress(address, allowed)).toBe(true);
    }
  });

  test.each(['93.184.216.34', '93.184.216.0/33', 'example.com/8', '::/x', ','])(
    'cannot be %s',
    (text) => {
      process.env['WEBHOOKS_REFUSED_CIDRS'] = text;
      expect(refusedAddressesFromEnv).toThrow('must be networks');
    },
  );
});
