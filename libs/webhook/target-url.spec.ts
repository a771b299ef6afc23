import { faultOfUrl } from './target-url.js';

const PUBLIC = { allowsLoopback: false };
const DEVELOPMENT = { allowsLoopback: true };

test.each(['https://shop.example/hook?key=1', 'https://shop.example:8443/', 'https://8.8.8.8/'])(
  'a webhook may be sent to %s',
  (url) => {
    expect(faultOfUrl(url, PUBLIC)).toBeNull();
  },
);

test.each([
  ['http://shop.example/hook', 'must begin with https://'],
  ['ftp://shop.example/hook', 'must begin with https://'],
  ['/hook', 'must be an absolute URL'],
  ['https://user:secret@shop.example/', 'must not contain a user name or a password'],
  ['https://shop.example/#part', 'must not contain a fragment (#…)'],
  ['https://10.1.2.3/', 'must have a public IP address or a host name'],
  ['https://[::1]/', 'must have a public IP address or a host name'],
  ['https://0x7f000001/', 'must have a public IP address or a host name'],
  [`https://shop.example/${'x'.repeat(2_048)}`, 'must have at most 2048 characters'],
])('no webhook may be sent to %s', (url, fault) => {
  expect(faultOfUrl(url, PUBLIC)).toBe(fault);
});

test('in development a webhook may be sent to a loopback address, also without TLS', () => {
  expect(faultOfUrl('http://127.0.0.1:3000/hook', DEVELOPMENT)).toBeNull();
  expect(faultOfUrl('http://localhost:3000/hook', DEVELOPMENT)).toBeNull();
  expect(faultOfUrl('http://10.0.0.1/hook', DEVELOPMENT)).toBe('must begin with https://');
});
