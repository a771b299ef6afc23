import { type FieldFault, invalidFields } from './partner-error.js';

/** Gathers what is wrong with a request, so that its caller hears of all of it at once. */
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
