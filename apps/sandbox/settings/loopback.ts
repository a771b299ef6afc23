import { isIPv4 } from 'node:net';

/** Whether an address or name is this machine's own. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
