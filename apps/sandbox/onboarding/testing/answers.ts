import type { AnySchemaObject, SchemaObject } from 'ajv';
import { shape } from '../../api/answers.js';
import { PartnerError } from '../../api/partner/partner-error.js';
import { wireCheck } from '../wire/wire-check.js';

/** The differences between a response and its published schema: empty when it matches. */
export const misfits = (schema: AnySchemaObject, answer: unknown): readonly string[] => {
  try {
    wireCheck(shape(schema as SchemaObject)).read(answer);
    return [];
  } catch (error) {
    if (!(error instanceof PartnerError)) throw error;
    return (error.body.errors ?? []).map(({ field, message }) => `${field} ${message}`);
  }
};
