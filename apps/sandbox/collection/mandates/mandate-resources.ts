import { type MandateRow, MANDATES } from './mandate-resource.js';

/** Mandates as they are told, with the addresses that sign them and take their document. */
export class MandateResources {
  /** `baseUrl` is how a browser reaches the sandbox. */
  constructor(private readonly baseUrl: string) {}

  mandate(row: MandateRow) {
    return MANDATES.wire(row, this.baseUrl);
  }
}
