import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AlreadyAnswered, EventStore, type StepBuilder } from '#log';
import { type Clock, Rejection } from '#kernel';
import { type DocumentKind, merchantAggregate, type MerchantCommand } from '#onboarding';
import { CLOCK, jsonPointer, type Problem } from '#platform';
import { type CompanyFacts, type DocumentUpload, isProviderError, type OpenedDocument } from '#psp';
import type { Caller } from '../../auth/key-verifier.js';
import type { Answer } from '../../shared/answer.js';
import { type ChangeRequest, metadataOf, type Origin } from '../../shared/change-request.js';
import { problem } from '../../shared/error-codes.js';
import { Idempotency } from '../../shared/idempotency.js';
import { Tenancy } from '../../shared/tenancy.js';
import { asking, type CompanyAtProvider, Partners } from '../partners.js';
import { isNotFound } from '../provider-refusals.js';
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

/** The merchant, kind and person of an upload. */
export interface Upload {
  readonly merchantId: string;
  readonly kind: DocumentKind;
  readonly personId: string | null;
}

/** The parts of a multipart body are at the top level, so JSON pointers to them have no prefix. */
const ROOT: readonly string[] = [];

const REJECTED_FILES = [
  'document_empty',
  'unsupported_document_type',
  'document_too_large',
] as const;

/** Converts the provider's refusal of a file into a problem that names the part of the body. */
const asFileProblem = (error: unknown): unknown => {
  if (!(error instanceof Rejection)) return asPartProblem(error);
  const code = REJECTED_FILES.find((one) => one === error.code);
  if (code === undefined) return error;
  const { message: detail, details } = error;
  const errors = [{ detail, pointer: jsonPointer([String(details['field'] ?? 'file')]) }];
  return problem(code, { detail, errors, cause: error });
};

const notExpected = ({ kind }: Upload): Problem =>
  kind === 'identity_card'
    ? problem('document_not_expected')
    : problem('document_not_expected', {
        errors: [{ detail: 'is not expected', parameter: 'kind' }],
      });

const addressOf = (company: CompanyFacts, upload: Upload): string => {
  const expected = expectedAt(company, upload);
  if (expected === null) throw notExpected(upload);
  return expected.uploadTo;
};

const DOCUMENT_ID = /^dcmt_[A-Za-z0-9]{24}$/;

/**
 * Checks a document id in a path: an id of a form that the provider never issues is not sent to the
 * provider.
 */
const documentIdIn = (text: string): string => {
  if (DOCUMENT_ID.test(text)) return text;
  throw new Rejection('document_not_found', 'no document of the merchant has this id');
};

/**
 * The fingerprint of the request contains kind and person from the query, but not the content,
 * which has not been read yet.
 */
const fingerprinted = (request: ChangeRequest, { kind, personId }: Upload): ChangeRequest => ({
  ...request,
  fingerprint: `${request.fingerprint} ${kind} ${personId ?? ''}`,
});

/**
 * The prefix of an upload's file names at the provider, which accepts no other reference of ours. A
 * repeated request recognises the files of an earlier attempt by this prefix, even if that attempt
 * was not recorded.
 */
const markOf = ({ caller, key }: ChangeRequest): string =>
  `${createHash('sha256').update(`${caller.platformId} ${key}`).digest('hex').slice(0, 16)}-`;

/** The document ids in the stored response to the same request. */
const answeredIds = ({ body }: AlreadyAnswered): readonly unknown[] => {
  const { documentIds } = body as Partial<UploadedAnswer>;
  return documentIds ?? [];
};

/** Streams documents to and from the provider; no document content is stored by this service. */
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

  /** Adds documents to the existing ones. */
  add(keyed: ChangeRequest, upload: Upload, body: FastifyRequest): Promise<Answer<UploadedAnswer>> {
    const request = fingerprinted(keyed, upload);
    const { merchantId } = upload;
    return this.received(request.caller, body, (pace) =>
      this.idempotency.withCompensation(request, async () => {
        const at = await this.partners.company(request.caller, merchantId);
        const before = await asking('company', at.client.getCompany(at.companyId));
        const mark = markOf(keyed);
        const known = markedAt(before, upload, mark);
        const replayed = known.length > 0;
        // An earlier attempt has sent the documents but stored no response, so the body is
        // discarded.
        if (replayed) await drain(body, pace);
        const documentIds = replayed
          ? known
          : await this.addAtProvider(
              at,
              upload,
              mark,
              before,
              uploadOf(body, upload.kind === 'identity_card', pace, mark),
            );
        try {
          const answer = await this.idempotency.step(request, merchantId, 201, async (step) => {
            await this.record(step, request, upload, documentIds, false);
            return { documentIds };
          });
          return { ...answer, replayed };
        } catch (error) {
          if (error instanceof AlreadyAnswered) {
            const answered = answeredIds(error);
            await this.removeDuplicates(
              at,
              documentIds.filter((id) => !answered.includes(id)),
            );
          }
          throw error;
        }
      }),
    );
  }

  /** Replaces the documents of this kind and person. Safe to repeat. */
  replace(origin: Origin, upload: Upload, body: FastifyRequest): Promise<UploadedAnswer> {
    const { merchantId } = upload;
    return this.received(origin.caller, body, async (pace) => {
      const { client, companyId } = await this.partners.company(origin.caller, merchantId);
      const company = await asking('company', client.getCompany(companyId));
      const to = addressOf(company, upload);
      const content = uploadOf(body, upload.kind === 'identity_card', pace);
      const documentIds = await asking(
        'document',
        client.sendDocuments(companyId, to, { ...content, replaces: true }),
        ROOT,
      );
      await this.store.step(metadataOf(merchantId, origin), (step) =>
        this.record(step, origin, upload, documentIds, true),
      );
      return { documentIds };
    });
  }

  /**
   * Reads a document. `reply`: the response that carries the document; its connection is closed
   * when the client reads too slowly.
   */
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

  async remove(origin: Origin, merchantId: string, documentId: string): Promise<void> {
    const at = await this.partners.company(origin.caller, merchantId);
    const id = documentIdIn(documentId);
    try {
      await asking('document', at.client.removeDocument(at.companyId, id), ROOT);
    } catch (error) {
      const isListed = at.merchant.documents.some((known) => known.documentId === id);
      if (!isListed || !isNotFound(error, 'document')) throw error;
      // The response to an earlier removal was lost. The read throws if the company is missing.
      await asking('company', at.client.getCompany(at.companyId));
    }
    await this.store.step(metadataOf(merchantId, origin), (step) =>
      this.execute(step, origin, merchantId, {
        type: 'RecordDocumentRemoval',
        documentId,
        at: this.clock.now(),
      }),
    );
  }

  /**
   * Runs an upload. A refused upload is read to its end, so that the client receives the response.
   */
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

  /**
   * Adds the documents. A second call would add them twice, so after an unknown result the
   * provider's list is read to find the documents that were added.
   */
  private async addAtProvider(
    { client, companyId }: CompanyAtProvider,
    upload: Upload,
    mark: string,
    before: CompanyFacts,
    content: DocumentUpload,
  ): Promise<readonly string[]> {
    const to = addressOf(before, upload);
    try {
      return await asking('document', client.sendDocuments(companyId, to, content), ROOT);
    } catch (error) {
      if (!isProviderError(error) || error.kind !== 'unknown_outcome') throw error;
      const after = await asking('company', client.getCompany(companyId));
      const added = markedAt(after, upload, mark);
      if (added.length === 0) throw error;
      return added;
    }
  }

  /**
   * Removes duplicates, which exist if another process executed the same request at the same time.
   */
  private async removeDuplicates(
    { client, companyId }: CompanyAtProvider,
    ids: readonly string[],
  ): Promise<void> {
    for (const id of ids) await asking('document', client.removeDocument(companyId, id), ROOT);
  }

  private record(
    step: StepBuilder,
    origin: Origin,
    { merchantId, kind, personId }: Upload,
    documentIds: readonly string[],
    replaces: boolean,
  ): Promise<void> {
    return this.execute(step, origin, merchantId, {
      type: 'RecordDocuments',
      kind,
      personId,
      documentIds,
      replaces,
      at: this.clock.now(),
    });
  }

  private async execute(
    step: StepBuilder,
    { caller }: Origin,
    merchantId: string,
    command: MerchantCommand,
  ): Promise<void> {
    await this.tenancy.merchant(caller, merchantId, step);
    await step.execute(merchantAggregate, merchantId, command);
  }
}
