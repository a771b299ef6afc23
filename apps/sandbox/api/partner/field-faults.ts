import { type FieldFault, invalidFields } from './partner-error.js';

/** Collects the errors of a request, so that one response lists all of them. */
export class Faults {
  private readonly found: FieldFault[] = [];

  add(field: string, message: string): void {
    this.found.push({ field, message });
  }

  /** Throws `PartnerError` 422 if there are any errors. */
  refuse(): void {
    if (this.found.length > 0) throw invalidFields(...this.found);
  }
}
