import { type FieldFault, invalidFields } from './partner-error.js';

/** Collects the faults of a request, so that its caller gets all of them at once. */
export class Faults {
  private readonly found: FieldFault[] = [];

  add(field: string, message: string): void {
    this.found.push({ field, message });
  }

  /** Throws `PartnerError` 422 when there are any. */
  refuse(): void {
    if (this.found.length > 0) throw invalidFields(...this.found);
  }
}
