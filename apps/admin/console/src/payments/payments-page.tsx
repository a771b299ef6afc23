import { Group, Text } from '@mantine/core';
import { api, bodyOf, type Schemas } from '../api/client';
import type { paths } from '../api/schema';
import { TestBadge } from '../cases/test-badge';
import { EntityLink } from '../entity/entity-link';
import { PAYMENT_TONES } from '../entity/payment-status';
import type { Dictionary } from '../i18n/en';
import { useI18n, useT } from '../i18n/i18n';
import type { Column } from '../list/data-table';
import type { FilterField } from '../list/filter-field';
import { ListPage } from '../list/list-page';
import { choicesOf } from '../list/status-choices';
import type { PageQuery } from '../list/use-pages';
import { modeField, usualFields } from '../list/usual-fields';
import { Amount } from '../shared/amount';
import { formatMoment } from '../shared/format';
import { StatusBadge } from '../shared/status-badge';
import { Time } from '../shared/time';
import { bankReason } from './bank-reason';

type Payment = Schemas['PaymentItem'];
type Query = NonNullable<paths['/v1/payments']['get']['parameters']['query']>;
type Filter = Exclude<keyof Query, 'cursor' | 'limit'>;

const read = (query: PageQuery, signal: AbortSignal) =>
  bodyOf(api.GET('/v1/payments', { params: { query: query as Query }, signal }));

const readTotals = (query: PageQuery, signal: AbortSignal) =>
  bodyOf(api.GET('/v1/payments/totals', { params: { query: query as Query }, signal }));

/** Why an unpaid payment was declined, or when an authorization expires. */
const Outlook = ({ payment }: { readonly payment: Payment }) => {
  const { t, locale } = useI18n();
  const { status, authorizedAt, expiresAt, declineCode } = payment;
  const text =
    status === 'authorized' && expiresAt !== null
      ? t.payment.expires(formatMoment(expiresAt, locale))
      : authorizedAt === null && declineCode !== null
        ? bankReason(t, declineCode)
        : null;
  return (
    text !== null && (
      <Text span size="xs" c="dimmed">
        {text}
      </Text>
    )
  );
};

/** The badge for the status of a payment, and badges for its issues, e.g. an unknown result. */
const Status = ({ payment, t }: { readonly payment: Payment; readonly t: Dictionary }) => (
  <Group gap={4} wrap="wrap" display="inline-flex">
    <StatusBadge
      tone={PAYMENT_TONES[payment.status]}
      label={t.lists.paymentStatus[payment.status]}
    />
    {payment.unknownResults.length > 0 && (
      <StatusBadge tone="bad" label={t.lists.payments.unknown} />
    )}
    {payment.rejectedRefunds.length > 0 && (
      <StatusBadge tone="bad" label={t.entity.refundNotMade} />
    )}
    {payment.rejectedCaptures.length > 0 && (
      <StatusBadge tone="bad" label={t.lists.payments.rejectedCapture} />
    )}
    {payment.mismatched && <StatusBadge tone="bad" label={t.lists.payments.mismatched} />}
    {payment.disputed && <StatusBadge tone="bad" label={t.lists.payments.disputed} />}
    <Outlook payment={payment} />
  </Group>
);

const columnsOf = (t: Dictionary): readonly Column<Payment>[] => [
  {
    id: 'id',
    header: t.lists.orders.payment,
    cell: ({ id, mode }) => (
      <>
        <EntityLink type="payment" id={id} /> <TestBadge mode={mode} />
      </>
    ),
  },
  {
    id: 'status',
    header: t.shared.status,
    cell: (payment) => <Status payment={payment} t={t} />,
  },
  {
    id: 'amount',
    header: t.shared.amount,
    sort: 'amount',
    isNumber: true,
    cell: (payment) => <Amount {...payment} />,
  },
  {
    id: 'captured',
    header: t.lists.payments.captured,
    isNumber: true,
    cell: ({ capturedMinor, currency }) =>
      capturedMinor > 0 && <Amount amountMinor={capturedMinor} currency={currency} />,
  },
  {
    id: 'refunded',
    header: t.lists.payments.refunded,
    isNumber: true,
    cell: ({ refundedMinor, currency }) =>
      refundedMinor > 0 && <Amount amountMinor={refundedMinor} currency={currency} />,
  },
  { id: 'platform', header: t.shared.platform, cell: ({ platformId }) => platformId },
  {
    id: 'order',
    header: t.lists.orders.order,
    cell: ({ orderId }) => <EntityLink type="order" id={orderId} />,
  },
  {
    id: 'intent',
    header: t.lists.payments.intent,
    cell: ({ intentId }) => <span className="mono">{intentId}</span>,
  },
  {
    id: 'requested',
    header: t.lists.payments.requested,
    sort: 'created',
    cell: ({ requestedAt }) => <Time at={requestedAt} />,
  },
];

const fieldsOf = (t: Dictionary): readonly FilterField<Filter>[] => {
  const choices = [
    { value: 'true', label: t.shared.yes },
    { value: 'false', label: t.shared.no },
  ];
  return [
    { name: 'search', label: t.shared.search, kind: 'text' },
    {
      name: 'status',
      label: t.shared.status,
      kind: 'several',
      choices: choicesOf(t.lists.paymentStatus),
    },
    { name: 'unknownResults', label: t.lists.payments.unknown, kind: 'choice', choices },
    {
      name: 'capturedInPart',
      label: t.lists.payments.capturedInPart,
      kind: 'choice',
      choices,
    },
    { name: 'rejectedRefunds', label: t.entity.refundNotMade, kind: 'choice', choices },
    {
      name: 'rejectedCaptures',
      label: t.lists.payments.rejectedCapture,
      kind: 'choice',
      choices,
    },
    { name: 'mismatched', label: t.lists.payments.mismatched, kind: 'choice', choices },
    { name: 'disputed', label: t.lists.payments.disputed, kind: 'choice', choices },
    { name: 'authorized', label: t.lists.payments.authorized, kind: 'choice', choices },
    { name: 'authorizedFrom', label: t.lists.payments.authorizedFrom, kind: 'day' },
    { name: 'expiresTo', label: t.lists.payments.expiresTo, kind: 'day' },
    { name: 'declineCode', label: t.lists.payments.declineCode, kind: 'text' },
    { name: 'declinedFrom', label: t.lists.payments.declinedFrom, kind: 'day' },
    { name: 'orderId', label: t.lists.orders.order, kind: 'text' },
    { name: 'intentId', label: t.lists.payments.intent, kind: 'text' },
    { name: 'accountId', label: t.shared.account, kind: 'text' },
    { name: 'merchantId', label: t.shared.merchant, kind: 'text' },
    { name: 'platformId', label: t.shared.platform, kind: 'text' },
    {
      name: 'method',
      label: t.shared.method,
      kind: 'choice',
      choices: choicesOf(t.shared.methods),
    },
    modeField(t),
    ...usualFields(t),
  ];
};

export const PaymentsPage = () => {
  const t = useT();
  return (
    <ListPage
      none={t.lists.payments.none}
      name="payments"
      title={t.lists.payments.title}
      lead={t.lists.payments.lead}
      fields={fieldsOf(t)}
      columns={columnsOf(t)}
      keyOf={({ id }) => id}
      read={read}
      readTotals={readTotals}
      csvPath="/v1/payments.csv"
    />
  );
};
