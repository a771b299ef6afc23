import { type MandateRow, MANDATES } from './mandate-resource.js';

/**
 * Mandates as returned by the API, with the URLs at which they are signed and their documents
 * downloaded.
 */
export class MandateResources {
  /** `baseUrl`: the sandbox's public URL. */
  constructor(private readonly baseUrl: string) {}

  mandate(row: MandateRow) {
    return MANDATES.wire(row, this.baseUrl);
  }
}
