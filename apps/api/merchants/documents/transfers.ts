import { Injectable } from '@nestjs/common';
import { Problem } from '#platform';
import { MAX_DOCUMENT_TRANSFERS } from '#psp';

/** So that no platform takes the others' connections. */
const MAX_OF_PLATFORM = 8;

/** The documents that are on their way through this process, to the provider or from it. */
@Injectable()
export class Transfers {
  private open = 0;
  private readonly openOf = new Map<string, number>();

  /** Answers how to end it. Throws `Problem` 429 when too many of the platform's, or of all, are open. */
  begin(platformId: string): () => void {
    const ofPlatform = this.openOf.get(platformId) ?? 0;
    if (this.open >= MAX_DOCUMENT_TRANSFERS || ofPlatform >= MAX_OF_PLATFORM) {
      throw new Problem(
        429,
        'too_many_documents',
        'too many documents are on their way: try again',
        {
          headers: { 'retry-after': '5' },
        },
      );
    }
    this.count(platformId, 1);
    let isOpen = true;
    return () => {
      if (isOpen) this.count(platformId, -1);
      isOpen = false;
    };
  }

  private count(platformId: string, more: 1 | -1): void {
    this.open += more;
    const left = (this.openOf.get(platformId) ?? 0) + more;
    if (left === 0) this.openOf.delete(platformId);
    else this.openOf.set(platformId, left);
  }
}
