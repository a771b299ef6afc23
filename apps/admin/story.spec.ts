import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type GoldenEvent, upcastEvent } from '../../test/golden/stream-history.js';
import { LANGUAGES, type Language, type StoryEntry, storyIn } from './story.fixture.js';

const GOLDEN = ['histories', 'streams'].map((folder) => join('test/golden', folder));

/** The timelines of all golden histories, with their events as today's code reads them. */
const TIMELINES: readonly (readonly StoryEntry[])[] = GOLDEN.flatMap((folder) =>
  readdirSync(folder).map((file) => {
    const text = readFileSync(join(folder, file), 'utf8');
    const { events } = JSON.parse(text) as { readonly events: readonly GoldenEvent[] };
    const versions = new Map<string, number>();
    return events.map((event, index) => {
      const { streamType, streamId } = event;
      const { type, ...data } = upcastEvent(event);
      const version = (versions.get(streamId) ?? 0) + 1;
      versions.set(streamId, version);
      return entry({
        name: type,
        data,
        subjectType: streamType,
        subjectId: streamId,
        version,
        index,
      });
    });
  }),
);

function entry({ index, ...more }: Partial<StoryEntry> & { readonly index: number }): StoryEntry {
  const at = new Date(Date.UTC(2030, 0, 1, 0, index)).toISOString();
  return {
    id: `event-${index}`,
    kind: 'event',
    at,
    recordedAt: at,
    actor: 'provider',
    causationId: null,
    name: '',
    subjectType: 'payment',
    subjectId: 'pay_1',
    version: null,
    data: {},
    ...more,
  };
}

const payment = (...events: readonly (readonly [string, object, Partial<StoryEntry>?])[]) =>
  [['IntentRequested', { amountMinor: 1_250, currency: 'eur' }] as const, ...events].map(
    ([name, data, more], index) =>
      entry({ name, data: { ...data }, version: index + 1, index, ...more }),
  );

const order = (name: string, data: object) =>
  [
    ['OrderPlaced', { amountMinor: 1_250, reference: 'A-1001' }] as const,
    [name, data] as const,
  ].map(([type, fields], index) =>
    entry({
      name: type,
      data: { ...fields },
      subjectType: 'order',
      subjectId: 'ord_1',
      version: index + 1,
      index,
    }),
  );

const CAPTURE = { captureId: 'cap_1', amountMinor: 1_250 };
const REFUND = { requestId: 'rfr_1', amountMinor: 300 };
const QUEUED = [
  'RefundQueued',
  { ...REFUND, reference: 'R-7', expectedAt: '2030-01-12T10:04:00Z' },
] as const;
const byPlatform = { actor: 'platform:shop' };
const EXAMPLES = [
  [
    order('OrderCaptured', { captureId: 'cap_2', amountMinor: 500, paidMinor: 1_000 }),
    'Captured a further €5.00; €10.00 are paid in total',
    '5,00 € de plus capturés ; 10,00 € sont payés au total',
  ],
  [
    order('OrderCaptureCorrected', {
      captureId: 'cap_2',
      amountMinor: 300,
      previousAmountMinor: 500,
      paidMinor: 800,
    }),
    'The provider captured €3.00 instead of €5.00; €8.00 are paid in total',
    'Le prestataire a capturé 3,00 € au lieu de 5,00 € ; 8,00 € sont payés au total',
  ],
  [
    payment([
      'PaymentAuthorized',
      {
        expiresAt: '2030-01-12T10:04:00Z',
        methodDetails: {
          method: 'card',
          brand: 'visa',
          last4: '4242',
          authentication: 'succeeded',
        },
      },
    ]),
    'Authorized €12.50 with Visa •••• 4242, 3-D Secure succeeded; it expires on January 12, 2030 at 10:04 AM',
    '12,50 € autorisés avec Visa •••• 4242, 3-D Secure réussi ; l’autorisation expire le 12 janvier 2030 à 10:04',
  ],
  [
    payment(
      ['CaptureRequested', { ...CAPTURE, requestedBy: 'platform' }, byPlatform],
      ['PaymentCaptured', CAPTURE],
    ),
    'Captured €12.50, requested by the platform shop',
    '12,50 € capturés, capture demandée par la plateforme shop',
  ],
  [
    payment(
      ['CaptureRequested', { ...CAPTURE, requestedBy: 'policy' }, { actor: 'saga:checkout' }],
      ['PaymentCaptured', CAPTURE],
    ),
    'Captured €12.50, requested by the capture policy',
    '12,50 € capturés, capture demandée par la règle de capture',
  ],
  [
    payment([
      'CaptureRequested',
      { ...CAPTURE, requestedBy: 'platform', isFinal: true },
      { actor: 'user:ann' },
    ]),
    'Requested the final capture of €12.50, by Ann',
    'Capture finale de 12,50 € demandée, par Ann',
  ],
  [
    payment(['CaptureRejected', { ...CAPTURE, reason: 'the authorization is used up' }]),
    'The provider rejected the capture of €12.50: the authorization is used up',
    'Le prestataire a rejeté la capture de 12,50 € : the authorization is used up',
  ],
  [
    payment(['AuthorizationClosed', { releasedMinor: 250 }]),
    'Released €2.50 of the authorization',
    '2,50 € de l’autorisation libérés',
  ],
  [
    payment([...QUEUED, byPlatform]),
    'Queued the refund of €3.00 (reference R-7) until clearing, about January 12, 2030 at 10:04 AM, by the platform shop',
    'Remboursement de 3,00 € (référence R-7) programmé après la compensation ' +
      'du paiement, vers le 12 janvier 2030 à 10:04, par la plateforme shop',
  ],
  [
    payment(QUEUED, ['RefundSucceeded', { ...REFUND, refundId: 'refd_1' }]),
    'Refunded €3.00 (reference R-7)',
    '3,00 € remboursés (référence R-7)',
  ],
  [
    payment(['RefundAbandoned', REFUND, { actor: 'user:ann' }]),
    'Abandoned the refund of €3.00, by Ann: the payer is not refunded',
    'Remboursement de 3,00 € abandonné, par Ann : le payeur n’est pas remboursé',
  ],
  [
    payment(['PaymentMismatchObserved', { aspect: 'amount', expected: '1250', observed: '1300' }]),
    'Mismatch of the amount: “€12.50” in our records, “€13.00” at the provider',
    'Écart sur le montant : « 12,50 € » chez nous, « 13,00 € » chez le prestataire',
  ],
  [
    payment([
      'PaymentMismatchesReviewed',
      { mismatches: ['amount:1250:1300'] },
      { actor: 'user:ann' },
    ]),
    'Reviewed: mismatch of the amount: “€12.50” in our records, “€13.00” at the provider, by Ann',
    'Examiné : écart sur le montant : « 12,50 € » chez nous, « 13,00 € » chez le prestataire, par Ann',
  ],
] as const;

/** The last sentence of a timeline with plain spaces: French amounts have narrow ones. */
const sentencesOf = async (language: Language, timeline: readonly StoryEntry[]) => {
  const { sentenceOf } = await storyIn(language);
  return timeline.map((one) => sentenceOf(timeline, one).replace(/[\u00a0\u202f]/g, ' '));
};

describe.each(LANGUAGES)('in the language %s', (language) => {
  const column = language === 'en' ? 1 : 2;

  test.each(EXAMPLES.map((example) => [example[column], example[0]] as const))(
    'an event has the sentence “%s”',
    async (sentence, timeline) => {
      expect((await sentencesOf(language, timeline)).at(-1)).toBe(sentence);
    },
  );

  test('every event type has a sentence without field names, codes or missing values', async () => {
    const timelines = [...TIMELINES, ...EXAMPLES.map(([timeline]) => timeline)];
    const found = new Map<string, string>();
    for (const timeline of timelines) {
      const sentences = await sentencesOf(language, timeline);
      for (const [index, sentence] of sentences.entries())
        found.set(`${timeline[index]?.name} ${sentence}`, sentence);
    }
    const { types } = await storyIn(language);
    expect(new Set([...found.keys()].map((key) => key.split(' ', 1)[0]))).toEqual(new Set(types));
    const raw = /undefined|null|NaN|\[object|[{}]|\b[a-z]+[A-Z]|[a-z]{3}_[a-z]{3}|\.$/;
    expect([...found].filter(([, sentence]) => raw.test(sentence))).toEqual([]);
  });
});

describe('the story of a timeline', () => {
  const at = (second: number) => new Date(Date.UTC(2030, 0, 1, 0, 0, second)).toISOString();
  const one = (second: number, more: Partial<StoryEntry>): StoryEntry => ({
    ...entry({ index: second }),
    at: at(second),
    recordedAt: at(second),
    id: `${more.kind ?? 'event'} ${second}`,
    ...more,
  });
  const call = (second: number, data: object = { status: 200, failure: null }) =>
    one(second, { kind: 'call', name: 'GET /payment_intents', data: { ...data } });
  const webhook = (second: number, eventId: string, handledAt: string | null) =>
    one(second, { kind: 'webhook', causationId: eventId, data: { handledAt } });
  const requested = one(1, { name: 'CaptureRequested', actor: 'saga:checkout' });
  const accepted = one(20, { name: 'CaptureAccepted', causationId: requested.id });

  /** The causes of each line of the story, with the name of the line's event. */
  const causesOf = async (...entries: readonly StoryEntry[]) => {
    const { chaptersOf, causesText } = await storyIn('en');
    return chaptersOf(entries).map((chapter) => [chapter.entry.name, causesText(chapter.causes)]);
  };

  test('repeated and failed requests to the provider are shown under the event that the last request led to', async () => {
    const failed = { status: null, failure: 'timeout' };
    expect(await causesOf(requested, call(2, failed), call(8, failed), call(19), accepted)).toEqual(
      [
        ['CaptureRequested', ''],
        ['CaptureAccepted', '3 requests to the provider, 2 failed'],
      ],
    );
  });

  test('requests to the provider that lead to no event are shown under the event before them', async () => {
    expect(await causesOf(requested, accepted, call(21), call(99))).toEqual([
      ['CaptureRequested', ''],
      ['CaptureAccepted', '2 requests to the provider'],
    ]);
  });

  test('an event that a platform’s request caused is not shown as the result of an earlier read of the provider', async () => {
    const refund = one(30, { name: 'RefundRequested', actor: 'platform:shop' });
    const observed = one(40, { name: 'RefundObserved' });
    expect(await causesOf(accepted, call(25), refund, call(39), observed)).toEqual([
      ['CaptureAccepted', ''],
      ['RefundRequested', ''],
      ['RefundObserved', '2 requests to the provider'],
    ]);
  });

  test('a read of the provider and the webhooks that caused it are shown under the last event that the read led to', async () => {
    const cause = { causationId: 'evt_1', recordedAt: at(12) };
    const completed = one(12, { name: 'PaymentPageCompleted', ...cause });
    const authorized = one(12, { name: 'PaymentAuthorized', ...cause, id: 'authorized' });
    expect(
      await causesOf(
        webhook(10, 'evt_1', at(12)),
        webhook(10, 'evt_2', at(12)),
        call(11),
        completed,
        authorized,
        webhook(13, 'evt_3', at(14)),
        accepted,
      ),
    ).toEqual([
      ['PaymentPageCompleted', ''],
      ['PaymentAuthorized', '1 request to the provider, 3 webhooks'],
      ['CaptureAccepted', ''],
    ]);
  });

  test('the missing data of a registration is shown in one line for several reads if only the platform acted between them', async () => {
    const { chaptersOf, causesText } = await storyIn('en');
    const lacks = (second: number) => one(second, { name: 'RequirementsObserved' });
    const uploaded = (second: number) => one(second, { name: 'DocumentsUploaded' });
    const status = one(8, { name: 'CompanyStatusChanged' });
    const reads = [lacks(1), lacks(3), lacks(6), lacks(9)];
    const [first, second, third, last] = reads;
    const entries = [first, uploaded(2), call(3), second, uploaded(5), third, status, last];
    const chapters = chaptersOf(entries.filter((entry) => entry !== undefined));
    expect(
      chapters.map((chapter) => [
        chapter.entry.name,
        chapter.earlier.map(({ id }) => id),
        causesText(chapter.causes),
      ]),
    ).toEqual([
      ['DocumentsUploaded', [], ''],
      ['DocumentsUploaded', [], ''],
      ['RequirementsObserved', [first?.id, second?.id], '1 request to the provider'],
      ['CompanyStatusChanged', [], ''],
      ['RequirementsObserved', [], ''],
    ]);
  });

  test('user actions and failing jobs have separate lines; other jobs have none', async () => {
    const job = (second: number, state: string) =>
      one(second, { kind: 'job', name: `capture ${state}`, data: { state } });
    const workflow = (second: number, data: object) =>
      one(second, { kind: 'saga', name: 'checkout', data: { ...data } });
    const lines = await causesOf(
      requested,
      job(2, 'done'),
      job(3, 'ready'),
      job(4, 'stuck'),
      one(5, { kind: 'audit', name: 'action.done' }),
      workflow(6, {}),
      workflow(7, { waiting: {} }),
      one(8, { kind: 'deadline', name: 'payment.read', recordedAt: null }),
    );
    expect(lines.map(([name]) => name)).toEqual([
      'CaptureRequested',
      'capture stuck',
      'action.done',
      'checkout',
    ]);
  });
});
