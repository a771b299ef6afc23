import { Problem, type ProblemDetail } from '#platform';
import { ProviderRejected } from '#psp';
import { pointerOf } from './details/wire-names.js';

/** What was asked for, where the provider only says that it is not there. */
export type Asked = 'company' | 'head' | 'document';

interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  /** By the provider's path, where it names none itself. */
  readonly field?: string;
}

/**
 * The provider's error types (completion, "Errors") as ours. What is not here is our own mistake,
 * and a 502.
 */
const REFUSALS: Readonly<Record<string, Refusal>> = {
  'validation': {
    status: 422, code: 'validation_failed', detail: 'some fields are not as they must be',
  },
  'email-unavailable': {
    status: 409, code: 'email_unavailable', field: 'user.contact.email',
    detail: 'another merchant of the provider has this email: give another one',
  },
  'email-terminated': {
    status: 409, code: 'email_terminated', field: 'user.contact.email',
    detail: 'the provider has ended a contract with this email: give another one',
  },
  'not-allowed': {
    status: 409, code: 'not_allowed',
    detail: 'the provider does not allow this in the merchant’s present status',
  },
  'conflict': {
    status: 409, code: 'provider_conflict',
    detail: 'this conflicts with what the provider has: the last representative stays',
  },
  'too-large': {
    status: 413, code: 'document_too_large', field: 'file', detail: 'the file has more than 10 MiB',
  },
  'unsupported-media-type': {
    status: 415, code: 'document_type', field: 'file',
    detail: 'the file is not of a type that is taken for this document: PDF, JPEG or PNG by its ' +
      'content, and only PDF for `iban`',
  },
};

const NOT_THERE: Readonly<Record<Exclude<Asked, 'company'>, Refusal>> = {
  head: { status: 404, code: 'head_not_found', detail: 'the merchant has no such person' },
  document: {
    status: 404, code: 'document_not_found', detail: 'the merchant has no such document',
  },
};

const refusalOf = ({ code }: ProviderRejected, asked: Asked): Refusal | null => {
  if (code === 'not-found') return asked === 'company' ? null : NOT_THERE[asked];
  return REFUSALS[code ?? ''] ?? null;
};

/** A path in the provider's words, e.g. `iban` in: registration is finalized: `iban` is part of… */
const NAMED = /`([a-z][\w.-]*)`/;

/** Where the request's fields stand: the provider's path without `prefix`, below `root`. */
interface Place {
  readonly root: readonly string[];
  readonly prefix: string;
}

const errorsOf = (
  { faults, providerMessage }: ProviderRejected, { detail, field }: Refusal,
  { root, prefix }: Place,
): readonly ProblemDetail[] => {
  const pointer = (path: string): string =>
    pointerOf(path.startsWith(prefix) ? path.slice(prefix.length) : path, root);
  if (faults.length > 0) {
    return faults.map((fault) => ({ detail: fault.message, pointer: pointer(fault.field) }));
  }
  const named = field ?? NAMED.exec(providerMessage)?.[1];
  return named === undefined ? [] : [{ detail, pointer: pointer(named) }];
};

/**
 * A refusal of the provider's as the platform can act on it: its code, and the fields of the
 * request that caused it. Anything else is as it was.
 */
export const asOurs = (error: unknown, asked: Asked, place: Place): unknown => {
  if (!(error instanceof ProviderRejected)) return error;
  const refusal = refusalOf(error, asked);
  if (refusal === null) return error;
  const errors = errorsOf(error, refusal, place);
  return new Problem(refusal.status, refusal.code, refusal.detail, {
    ...(errors.length === 0 ? {} : { errors }), cause: error,
  });
};

/** Why a registration was refused, as the merchant tells it later. */
export const rejectionOf = (
  reason: string, fields: readonly string[],
): { readonly code: string; readonly detail: string; readonly pointers: readonly string[] } => {
  const { code, detail, field } = REFUSALS[reason] ??
    { code: 'provider_rejected', detail: 'the provider refused the company', field: undefined };
  const paths = fields.length === 0 && field !== undefined ? [field] : fields;
  return { code, detail, pointers: paths.map((path) => pointerOf(path)) };
};
