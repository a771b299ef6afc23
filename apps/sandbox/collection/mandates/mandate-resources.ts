import { mandateResource } from './mandate-resource.js';
import type { MandateRow } from './mandate-row.js';

/** Mandates as they are told, with the addresses that sign them and take their document. */
export class MandateResources {
  /** `baseUrl` is how a browser reaches the sandbox. */
  constructor(private readonly baseUrl: string) {}

  mandate(row: MandateRow) {
    return mandateResource(row, this.baseUrl);
  }
}
