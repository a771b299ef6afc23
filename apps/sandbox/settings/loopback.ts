import { isIPv4 } from 'node:net';

/** Whether an IP address or host name is a loopback address or name. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
