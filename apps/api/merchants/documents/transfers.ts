import { Injectable } from '@nestjs/common';
import { MAX_DOCUMENT_TRANSFERS } from '#psp';
import { Slots } from '#platform';
import { problem } from '../../shared/error-codes.js';

const MAX_OF_PLATFORM = 8;

/** The documents that this process is sending to or receiving from the provider. */
@Injectable()
export class Transfers {
  private readonly slots = new Slots(MAX_DOCUMENT_TRANSFERS, MAX_OF_PLATFORM);

  /**
   * Begins a transfer and returns a function that ends it. Throws `Problem` 429 at the limit of the
   * platform or of the process.
   */
  begin(platformId: string): () => void {
    if (this.slots.hasRoom(platformId)) return this.slots.take(platformId);
    throw problem('too_many_documents', { headers: { 'retry-after': '5' } });
  }
}
