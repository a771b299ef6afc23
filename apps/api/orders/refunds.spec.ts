import { newId, randomText } from '#kernel';
import { type ApiFixture, orderBody, startApiFixture } from '../api.fixture.js';

let api: ApiFixture;
let key: string;

beforeAll(async () => {
  api = await startApiFixture();
  ({ key } = await api.newPlatform());
});
afterAll(() => api.stop());
beforeEach(() => {
  api.provider.refunds = [];
  api.provider.disputes = [];
});

interface Paid {
  readonly orderId: string;
  readonly paymentId: string;
}

const show = async (paymentId: string, status: string, method?: 'card' | 'sepa'): Promise<void> => {
  await api.providerShows(paymentId, status, method);
  const { status: answered } = await api.post(`/v1/payments/${paymentId}/refresh`, key);
  expect(answered).toBe(200);
};

const orderAt = async (status: string, method?: 'card' | 'sepa'): Promise<Paid> => {
  const { body } = await api.post('/v1/orders', key, orderBody());
  const orderId = String(body['id']);
  const paymentId = await api.openPayment(orderId);
  await show(paymentId, status, method);
  return { orderId, paymentId };
};

const refund = ({ orderId }: Paid, body: object = {}, idempotencyKey = randomText(16)) =>
  api.post(`/v1/orders/${orderId}/refunds`, key, body, idempotencyKey);

const madeAtProvider = (status: string, amount: number) => ({
  id: newId('refd'),
  amount,
  currency: 'eur',
  created: Math.floor(Date.now() / 1_000),
  status,
  payout: null,
});

const dispute = () => ({
  id: newId('dspt'),
  amount: 1_250,
  currency: 'eur',
  response: '4837',
  created: Math.floor(Date.now() / 1_000),
  fee: 1_500,
  type: 'chargeback',
  status: 'open',
  payout: null,
});

test('a repeated request for a partial refund creates no second refund or job, and the order lists the refund once', async () => {
  const paid = await orderAt('captured');
  const body = { amountMinor: 500, reference: 'return-7', reason: 'too small' };
  const answer = await refund(paid, body, 'key-1');
  expect(answer).toMatchObject({
    status: 202,
    body: {
      id: expect.stringMatching(/^rfr_/),
      status: 'requested',
      requested: true,
      providerRefundId: null,
      rejectionReason: null,
      ...body,
    },
  });
  const again = await refund(paid, body, 'key-1');
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  expect(again.body).toEqual(answer.body);

  const { rows } = await api.pool.query(
    'SELECT kind FROM jobs WHERE subject_id = $1 ORDER BY ordinal',
    [paid.paymentId],
  );
  expect(rows).toEqual([{ kind: 'create_intent' }, { kind: 'refund' }]);
  const list = await api.get(`/v1/orders/${paid.orderId}/refunds`, key);
  expect(list).toMatchObject({ status: 200, body: { items: [answer.body] } });
  const { body: order } = await api.get(`/v1/orders/${paid.orderId}`, key);
  expect(order).toMatchObject({
    refundedMinor: 0,
    payment: { refunds: [answer.body], refundedMinor: 0, refundableMinor: 750 },
  });
});

test('a refund without an amount refunds the rest of the captured amount', async () => {
  const paid = await orderAt('capture_sent');
  expect((await refund(paid)).body).toMatchObject({ amountMinor: 1_250, status: 'requested' });
});

test.each([
  ['open', 'require_payment_method', 'not_captured'],
  ['authorized', 'authorized', 'not_captured'],
])('a payment that is %s cannot be refunded', async (_name, status, code) => {
  expect(await refund(await orderAt(status))).toMatchObject({ status: 409, body: { code } });
});

test('a refund before clearing is queued with its expected time, and listed', async () => {
  const paid = await orderAt('to_capture');
  const answer = await refund(paid, { amountMinor: 500 });
  expect(answer).toMatchObject({
    status: 202,
    body: { status: 'queued', amountMinor: 500, expectedAt: expect.stringMatching(/T08:00:00/) },
  });
  const { body } = await api.get(`/v1/payments/${paid.paymentId}`, key);
  expect(body).toMatchObject({ refunds: [answer.body], refundableMinor: 750 });
  const further = await refund(paid);
  expect(further).toMatchObject({ status: 202, body: { status: 'queued', amountMinor: 750 } });
  await show(paid.paymentId, 'capture_sent');
  const list = await api.get(`/v1/orders/${paid.orderId}/refunds`, key);
  expect(list.body).toMatchObject({
    items: [
      { id: answer.body['id'], status: 'requested', expectedAt: null },
      { id: further.body['id'], status: 'queued' },
    ],
  });
});

test('a refund of a direct debit that is being processed is queued, because the paid order cannot be canceled', async () => {
  const paid = await orderAt('processing', 'sepa');
  expect(await api.post(`/v1/orders/${paid.orderId}/cancel`, key)).toMatchObject({
    status: 409,
    body: { code: 'order_paid' },
  });
  expect(await refund(paid)).toMatchObject({
    status: 202,
    body: { status: 'queued', amountMinor: 1_250 },
  });
  await show(paid.paymentId, 'capture_sent', 'sepa');
  const { body } = await api.get(`/v1/payments/${paid.paymentId}`, key);
  expect(body).toMatchObject({ refunds: [{ status: 'requested' }], refundableMinor: 0 });
});

test('a payment that was canceled with its order cannot be refunded', async () => {
  const paid = await orderAt('require_payment_method');
  await api.post(`/v1/orders/${paid.orderId}/cancel`, key);
  await show(paid.paymentId, 'canceled');
  expect(await refund(paid)).toMatchObject({ status: 409, body: { code: 'payment_ended' } });
});

test('an order whose payment has no page yet cannot be refunded', async () => {
  const { body } = await api.post('/v1/orders', key, orderBody());
  const answer = await refund({ orderId: String(body['id']), paymentId: '' });
  expect(answer).toMatchObject({ status: 409, body: { code: 'not_captured' } });
});

test('a refund above the refundable amount, or during another refund, is refused', async () => {
  const paid = await orderAt('captured');
  expect(await refund(paid, { amountMinor: 1_251 })).toMatchObject({
    status: 409,
    body: { code: 'refund_exceeds_payment' },
  });
  await refund(paid, { amountMinor: 500 });
  expect(await refund(paid, { amountMinor: 500 })).toMatchObject({
    status: 409,
    body: { code: 'refund_in_progress' },
  });
});

test('only one of twenty concurrent requests to refund a payment is accepted', async () => {
  const paid = await orderAt('captured');
  const answers = await Promise.all(Array.from({ length: 20 }, () => refund(paid)));
  expect(answers.filter(({ status }) => status === 202)).toHaveLength(1);
  const codes = answers.filter(({ status }) => status !== 202).map(({ body }) => body['code']);
  expect(codes.every((code) => code === 'refund_in_progress' || code === 'busy')).toBe(true);
});

test('a refund made at the provider reduces the refundable amount, and is listed as not requested through the API', async () => {
  const paid = await orderAt('captured');
  const theirs = madeAtProvider('refunded', 1_250);
  api.provider.refunds = [theirs];
  await show(paid.paymentId, 'captured');
  const { body } = await api.get(`/v1/payments/${paid.paymentId}`, key);
  expect(body).toMatchObject({
    refundedMinor: 1_250,
    refundableMinor: 0,
    refunds: [{ id: theirs.id, providerRefundId: theirs.id, requested: false, status: 'refunded' }],
  });
  expect(await refund(paid, { amountMinor: 1 })).toMatchObject({
    status: 409,
    body: { code: 'already_refunded' },
  });
});

test('a refund made at the provider during a requested refund cannot make the refundable amount negative', async () => {
  const paid = await orderAt('captured');
  await refund(paid, { amountMinor: 500 });
  api.provider.refunds = [madeAtProvider('refunded', 1_250)];
  await show(paid.paymentId, 'captured');
  const { body } = await api.get(`/v1/payments/${paid.paymentId}`, key);
  expect(body).toMatchObject({ refundedMinor: 1_250, refundableMinor: 0 });
  const again = await refund(paid, { amountMinor: 1 });
  expect(again).toMatchObject({ status: 409, body: { code: 'refund_in_progress' } });
});

test('a disputed payment cannot be refunded, and shows the actual and the public reason of the dispute', async () => {
  const paid = await orderAt('captured');
  api.provider.disputes = [dispute()];
  await show(paid.paymentId, 'captured');
  const { body } = await api.get(`/v1/payments/${paid.paymentId}`, key);
  expect(body).toMatchObject({
    refundableMinor: 0,
    disputes: [
      {
        kind: 'chargeback',
        status: 'open',
        amountMinor: 1_250,
        reasonCode: '4837',
        payerReasonCode: '45',
      },
    ],
  });
  expect(await refund(paid)).toMatchObject({ status: 409, body: { code: 'payment_disputed' } });
});

test.each([
  { amountMinor: 0 },
  { amountMinor: null },
  { amountMinor: 1.5 },
  { amountMinor: '5' },
  { amount: 5 },
  { reason: 'for jane@example.com' },
  { reference: 'two words' },
])('a refund request with the invalid body %j gets a 422 response', async (body) => {
  expect((await refund(await orderAt('captured'), body)).status).toBe(422);
});

test('another platform can neither read nor refund an order', async () => {
  const { orderId } = await orderAt('captured');
  const { key: other } = await api.newPlatform();
  const path = `/v1/orders/${orderId}/refunds`;
  expect((await api.get(path, other)).status).toBe(404);
  expect((await api.post(path, other, {})).status).toBe(404);
});
