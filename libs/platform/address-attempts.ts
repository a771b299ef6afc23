import { setDefaultAutoSelectFamilyAttemptTimeout } from 'node:net';

/**
 * How long the connection to one address of a host may take before the next address is tried. Half
 * of the time limit for a connection to the provider, so that the second address also gets its turn.
 */
const ADDRESS_ATTEMPT_MS = 1_500;

/**
 * Sets this time limit for all connections of the process to hosts with several addresses, e.g. an
 * IPv4 and an IPv6 address. Node's own limit of 250 ms is shorter than a pause of a busy process:
 * after such a pause, Node abandons a connection that the other side has already accepted, and the
 * request fails if the other addresses do not respond.
 */
export const allowForPauses = (): void => {
  setDefaultAutoSelectFamilyAttemptTimeout(ADDRESS_ATTEMPT_MS);
};
