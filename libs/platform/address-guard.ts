import { promises as dns, type LookupAddress } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import { ConfigError, envOptional } from './config.js';

const PRIVATE_IPV4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];
/**
 * Special ranges within 2000::/3, the global IPv6 addresses; all addresses outside 2000::/3 are
 * rejected as well.
 */
const SPECIAL_IPV6: readonly (readonly [string, number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const refusedIpv4 = new BlockList();
for (const [net, prefix] of PRIVATE_IPV4) refusedIpv4.addSubnet(net, prefix, 'ipv4');
const specialIpv6 = new BlockList();
for (const [net, prefix] of SPECIAL_IPV6) specialIpv6.addSubnet(net, prefix, 'ipv6');
const globalIpv6 = new BlockList();
globalIpv6.addSubnet('2000::', 3, 'ipv6');
const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** The error for a host that has no address, or an address to which no webhook may be sent. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
}

/** The exceptions to the rule that webhooks are sent to public addresses only. */
export interface AllowedAddresses {
  /** Whether loopback addresses are allowed: for development. */
  readonly allowsLoopback: boolean;
  /** Public addresses that are not allowed. */
  readonly refused?: BlockList;
}

const FAMILIES: Readonly<Record<number, 'ipv4' | 'ipv6'>> = { 4: 'ipv4', 6: 'ipv6' };

/** Adds a network such as `192.0.2.0/24`. Throws if the text is not a network. */
const addNetwork = (list: BlockList, cidr: string): void => {
  const [net = '', prefix = ''] = cidr.split('/');
  if (!/^\d+$/.test(prefix)) throw new Error('not a network');
  list.addSubnet(net, Number(prefix), FAMILIES[isIP(net)]);
};

/**
 * `WEBHOOKS_REFUSED_CIDRS`: networks such as `192.0.2.0/24,2001:db8::/32`. Throws `ConfigError` for
 * anything else.
 */
export const refusedAddressesFromEnv = (): BlockList => {
  const refused = new BlockList();
  for (const cidr of envOptional('WEBHOOKS_REFUSED_CIDRS')?.split(',') ?? []) {
    try {
      addNetwork(refused, cidr.trim());
    } catch (cause) {
      const rule = 'must be networks such as 192.0.2.0/24, comma-separated';
      throw new ConfigError(`WEBHOOKS_REFUSED_CIDRS ${rule}, not '${cidr.trim()}'`, { cause });
    }
  }
  return refused;
};

/** Whether a webhook may be sent to this IP address. */
export const isAllowedAddress = (
  address: string,
  { allowsLoopback, refused }: AllowedAddresses,
): boolean => {
  const family = FAMILIES[isIP(address)];
  if (family === undefined) return false;
  if (refused?.check(address, family) === true) return false;
  if (loopback.check(address, family)) return allowsLoopback;
  if (family === 'ipv4') return !refusedIpv4.check(address, family);
  return globalIpv6.check(address, family) && !specialIpv6.check(address, family);
};

const plainHost = (hostname: string): string => hostname.replace(/^\[|\]$/g, '');

/**
 * Throws `AddressRefused` for a URL with a forbidden IP address; host names are checked by the
 * lookup.
 */
export const refuseWrittenAddress = (url: URL, allowed: AllowedAddresses): void => {
  const host = plainHost(url.hostname);
  if (isIP(host) !== 0 && !isAllowedAddress(host, allowed)) {
    throw new AddressRefused(
      `${host} is not a public IP address: use the URL of a public https server`,
    );
  }
};

/**
 * Asks the name servers directly instead of the operating system. A lookup by the operating system
 * would occupy one of the few threads of the process until a platform's name server responds, and
 * all other lookups would wait.
 */
const resolver = new dns.Resolver({ timeout: 2_000, tries: 2 });

const LOCALHOST = /(?:^|\.)localhost$/i;
const LOOPBACK: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/** The addresses of a host name. Throws the error of the name server if there are none. */
const addressesOf = async (hostname: string): Promise<readonly LookupAddress[]> => {
  if (LOCALHOST.test(hostname)) return LOOPBACK;
  const [four, six] = await Promise.allSettled([
    resolver.resolve4(hostname),
    resolver.resolve6(hostname),
  ]);
  if (four.status === 'rejected' && six.status === 'rejected') throw four.reason;
  return [
    ...(four.status === 'fulfilled' ? four.value : []).map((address) => ({ address, family: 4 })),
    ...(six.status === 'fulfilled' ? six.value : []).map((address) => ({ address, family: 6 })),
  ];
};

/** Throws `AddressRefused` if the host name has no address, or an address that is not public. */
const checkedAddressesOf = async (
  hostname: string,
  allowed: AllowedAddresses,
): Promise<LookupAddress[]> => {
  const addresses = await addressesOf(hostname).catch((cause: unknown) => {
    const { code } = cause as { code?: unknown };
    throw new AddressRefused(`${hostname} has no address: ${String(code)}`, { cause });
  });
  const refused = addresses.find(({ address }) => !isAllowedAddress(address, allowed));
  if (refused === undefined && addresses.length > 0) return [...addresses];
  if (refused === undefined) throw new AddressRefused(`${hostname} has no address`);
  throw new AddressRefused(
    `${hostname} resolves to ${refused.address}, to which no webhook is sent`,
  );
};

const lookupChecked = callbackify(checkedAddressesOf);

/**
 * A DNS lookup for sockets: resolves the host name once and checks every IP address, so that the
 * socket connects only to a checked address. A host name is rejected if any of its addresses is
 * private. Names in the hosts file of the machine are not resolved.
 */
export const guardedLookup =
  (allowed: AllowedAddresses): LookupFunction =>
  (hostname, options, callback) => {
    lookupChecked(hostname, allowed, (error, addresses) => {
      if (error !== null) return callback(error, []);
      const [first] = addresses;
      if (options.all === true || first === undefined) return callback(null, addresses);
      return callback(null, first.address, first.family);
    });
  };
