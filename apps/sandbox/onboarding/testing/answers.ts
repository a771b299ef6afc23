import type { AnySchemaObject } from 'ajv';
import { PartnerError } from '../../api/partner/partner-error.js';
import { wireCheck } from '../wire/wire-check.js';

/** What an answer has that its published shape does not, or lacks: empty when it fits. */
export const misfits = (schema: AnySchemaObject, answer: unknown): readonly string[] => {
  try {
    wireCheck(schema).read(answer);
    return [];
  } catch (error) {
    if (!(error instanceof PartnerError)) throw error;
    return (error.body.errors ?? []).map(({ field, message }) => `${field} ${message}`);
  }
};
