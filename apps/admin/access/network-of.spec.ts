import { networkOf } from './network-of.js';

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:0:7::1', '2001:db8:0:7'],
  ['2001:DB8:0000:0007:ffff:1:2:3', '2001:db8:0:7'],
  ['2001:db8::', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['64:ff9b::192.0.2.7', '64:ff9b:0:0'],
])('sign-in attempts from the IP address %s are counted for the network %s', (address, network) =>
  expect(networkOf(address)).toBe(network),
);
