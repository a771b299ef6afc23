import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AlreadyAnswered, EventStore } from '#log';
import { type Clock, Rejection } from '#kernel';
import { type DocumentKind, merchantAggregate, type MerchantCommand } from '#onboarding';
import { CLOCK, jsonPointer, Problem } from '#platform';
import { type CompanyFacts, type DocumentUpload, isProviderError, type OpenedDocument } from '#psp';
import type { Caller } from '../../auth/key-verifier.js';
import { type Answer, Idempotency } from '../../shared/idempotency.js';
import type { IdempotentRequest } from '../../shared/idempotency-key.js';
import { metadataOf, type Origin } from '../../shared/origin.js';
import { Tenancy } from '../../shared/tenancy.js';
import { asking, type CompanyAtProvider, Partners } from '../partners.js';
import {
  type DocumentsAnswer,
  documentsAnswer,
  expectedAt,
  markedAt,
  type UploadedAnswer,
} from './documents-answer.js';
import { watchRate } from './least-rate.js';
import { Transfers } from './transfers.js';
import { UploadPace } from './upload-pace.js';
import { asPartProblem, drain, uploadOf } from './upload-parts.js';

/** Which of a merchant's documents, sent on whose request. */
export interface Upload {
  readonly caller: Caller;
  readonly merchantId: string;
  readonly kind: DocumentKind;
  readonly personId: string | null;
  readonly origin: Origin;
}

/** The parts of a multipart body stand at the top. */
const ROOT: readonly string[] = [];

const REJECTED_FILES: Readonly<Record<string, number>> = {
  document_empty: 422,
  document_type: 415,
  document_too_large: 413,
};

/** What the files themselves were refused for, with the part that it is about. */
const asFileProblem = (error: unknown): unknown => {
  if (!(error instanceof Rejection)) return asPartProblem(error);
  const status = REJECTED_FILES[error.code];
  if (status === undefined) return error;
  const field = String(error.details['field'] ?? 'file');
  return new Problem(status, error.code, error.message, {
    errors: [{ detail: error.message, pointer: jsonPointer([field]) }],
    cause: error,
  });
};

const notExpected = ({ kind }: Upload): Problem => {
  const isCard = kind === 'identity_card';
  return new Problem(
    422,
    'document_not_expected',
    'the provider expects no such document of this merchant: read which ones it expects',
    {
      errors: [
        isCard
          ? { detail: 'is nobody whose identity card is expected', parameter: 'personId' }
          : { detail: 'is not expected', parameter: 'kind' },
      ],
    },
  );
};

const addressOf = (company: CompanyFacts, upload: Upload): string => {
  const expected = expectedAt(company, upload);
  if (expected === null) throw notExpected(upload);
  return expected.uploadTo;
};

const DOCUMENT_ID = /^dcmt_[A-Za-z0-9]{24}$/;

/** An id in a path; the provider is not asked for one that it never gives. */
const documentIdIn = (text: string): string => {
  if (DOCUMENT_ID.test(text)) return text;
  throw new Rejection('document_not_found', 'the merchant has no such document');
};

/** Which document it is stands in the query, and of its bytes nothing is known beforehand. */
const fingerprinted = (
  request: IdempotentRequest,
  { kind, personId }: Upload,
): IdempotentRequest => ({
  ...request,
  fingerprint: `${request.fingerprint} ${kind} ${personId ?? ''}`,
});

/**
 * What the names of an upload's files begin with at the provider, which takes no reference of ours
 * but shows them: so a repetition finds what an earlier try has sent, whatever became of it here.
 */
const markOf = ({ platformId, key }: IdempotentRequest): string =>
  `${createHash('sha256').update(`${platformId} ${key}`).digest('hex').slice(0, 16)}-`;

/** What was answered already to the same request. */
const answeredIds = ({ body }: AlreadyAnswered): readonly unknown[] => {
  const { documentIds } = body as Partial<UploadedAnswer>;
  return documentIds ?? [];
};

/** Documents pass through here to the provider: piece by piece, and none of it is kept. */
@Injectable()
export class Documents {
  constructor(
    private readonly store: EventStore,
    private readonly tenancy: Tenancy,
    private readonly partners: Partners,
    private readonly idempotency: Idempotency,
    private readonly transfers: Transfers,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async list(caller: Caller, merchantId: string): Promise<DocumentsAnswer> {
    const { client, companyId } = await this.partners.company(caller, merchantId);
    return documentsAnswer(await asking('company', client.getCompany(companyId)));
  }

  /** Beside what is there. */
  add(
    upload: Upload,
    body: FastifyRequest,
    keyed: IdempotentRequest,
  ): Promise<Answer<UploadedAnswer>> {
    const request = fingerprinted(keyed, upload);
    return this.received(upload.caller, body, (pace) =>
      this.idempotency.onceOrTakenBack(request, async () => {
        const at = await this.partners.company(upload.caller, upload.merchantId);
        const before = await asking('company', at.client.getCompany(at.companyId));
        const mark = markOf(keyed);
        const known = markedAt(before, upload, mark);
        const replayed = known.length > 0;
        const ids = replayed
          ? await this.sentBefore(known, body, pace)
          : await this.addAtProvider(
              at,
              { ...upload, mark },
              before,
              uploadOf(body, upload.kind === 'identity_card', pace, mark),
            );
        const answered = { status: 201, body: { documentIds: ids } };
        try {
          await this.record(upload, ids, false, { ...request, ...answered });
        } catch (error) {
          if (error instanceof AlreadyAnswered) {
            const answered = answeredIds(error);
            await this.takeBack(
              at,
              ids.filter((id) => !answered.includes(id)),
            );
          }
          throw error;
        }
        return { ...answered, replayed };
      }),
    );
  }

  /** In the place of what is there of this kind and person. May be repeated. */
  replace(upload: Upload, body: FastifyRequest): Promise<UploadedAnswer> {
    return this.received(upload.caller, body, async (pace) => {
      const { client, companyId } = await this.partners.company(upload.caller, upload.merchantId);
      const company = await asking('company', client.getCompany(companyId));
      const to = addressOf(company, upload);
      const content = uploadOf(body, upload.kind === 'identity_card', pace);
      const documentIds = await asking(
        'document',
        client.replaceDocuments(companyId, to, content),
        ROOT,
      );
      await this.record(upload, documentIds, true, null);
      return { documentIds };
    });
  }

  /** `reply`: what the document is sent with; one that is taken too slowly is broken off. */
  async read(
    caller: Caller,
    merchantId: string,
    documentId: string,
    { raw: answer }: FastifyReply,
  ): Promise<OpenedDocument> {
    const end = this.transfers.begin(caller.platformId);
    const stop = watchRate(
      {
        bytes: () => answer.socket?.bytesWritten ?? 0,
        isWaitedFor: () => answer.writableLength > 0,
      },
      () => answer.destroy(),
    );
    const closed = (): void => {
      end();
      stop();
    };
    if (answer.destroyed) closed();
    else answer.once('close', closed);
    const { client, companyId } = await this.partners.company(caller, merchantId);
    const id = documentIdIn(documentId);
    return asking('document', client.readDocument(companyId, id), ROOT);
  }

  async remove(
    caller: Caller,
    merchantId: string,
    documentId: string,
    origin: Origin,
  ): Promise<void> {
    const { client, companyId } = await this.partners.company(caller, merchantId);
    const id = documentIdIn(documentId);
    await asking('document', client.removeDocument(companyId, id), ROOT);
    await this.execute(caller, merchantId, origin, {
      type: 'RecordDocumentRemoval',
      documentId,
      at: this.clock.now(),
    });
  }

  /** What is refused while it still arrives is read to its end, so that the refusal is heard. */
  private async received<T>(
    { platformId }: Caller,
    body: FastifyRequest,
    work: (pace: UploadPace) => Promise<T>,
  ): Promise<T> {
    const pace = new UploadPace(body);
    let end = (): void => {};
    try {
      end = this.transfers.begin(platformId);
      return await work(pace);
    } catch (error) {
      end();
      await drain(body, pace);
      throw asFileProblem(error);
    } finally {
      end();
      pace.stop();
    }
  }

  /** The same request got so far, and no further: its answer is what was missing. */
  private async sentBefore(
    ids: readonly string[],
    body: FastifyRequest,
    pace: UploadPace,
  ): Promise<readonly string[]> {
    await drain(body, pace);
    return ids;
  }

  /** The provider adds each time it is asked. After an unknown outcome it shows what is there. */
  private async addAtProvider(
    { client, companyId }: CompanyAtProvider,
    upload: Upload & { readonly mark: string },
    before: CompanyFacts,
    content: DocumentUpload,
  ): Promise<readonly string[]> {
    const { mark } = upload;
    const to = addressOf(before, upload);
    try {
      return await asking('document', client.addDocuments(companyId, to, content), ROOT);
    } catch (error) {
      if (!isProviderError(error) || error.kind !== 'unknown_outcome') throw error;
      const after = await asking('company', client.getCompany(companyId));
      const added = markedAt(after, upload, mark);
      if (added.length === 0) throw error;
      return added;
    }
  }

  /** The same request was carried out elsewhere meanwhile: its documents are there already. */
  private async takeBack(
    { client, companyId }: CompanyAtProvider,
    ids: readonly string[],
  ): Promise<void> {
    for (const id of ids) await asking('document', client.removeDocument(companyId, id), ROOT);
  }

  private async record(
    { caller, merchantId, kind, personId, origin }: Upload,
    documentIds: readonly string[],
    replaces: boolean,
    answer: Parameters<Documents['execute']>[4],
  ): Promise<void> {
    await this.execute(
      caller,
      merchantId,
      origin,
      {
        type: 'RecordDocuments',
        kind,
        personId,
        documentIds,
        replaces,
        at: this.clock.now(),
      },
      answer,
    );
  }

  private async execute(
    caller: Caller,
    merchantId: string,
    origin: Origin,
    command: MerchantCommand,
    answer: (IdempotentRequest & { readonly status: number; readonly body: unknown }) | null = null,
  ): Promise<void> {
    await this.store.step(metadataOf(merchantId, caller, origin), async (step) => {
      await this.tenancy.merchant(caller, merchantId, step);
      await step.execute(merchantAggregate, merchantId, command);
      if (answer !== null) step.answered(answer);
    });
  }
}
