import { type MandateRow, MANDATES } from './mandate-resource.js';

/**
 * Mandates as returned by the API, with the addresses that sign them and download their document.
 */
export class MandateResources {
  /** `baseUrl` is the sandbox's address for browsers. */
  constructor(private readonly baseUrl: string) {}

  mandate(row: MandateRow) {
    return MANDATES.wire(row, this.baseUrl);
  }
}
