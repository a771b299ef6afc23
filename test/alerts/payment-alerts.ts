import type { AlertCase } from './alert-case.js';

export const PAYMENT_ALERTS: readonly AlertCase[] = [
  {
    alert: 'CallStuck',
    minute: 10,
    bad: { 'jobs_open{kind="capture",state="stuck"}': '1x30' },
    fired: { summary: 'Failed provider requests need attention and hold back later ones' },
    good: { 'jobs_open{kind="capture",state="waiting"}': '9x30' },
  },
  {
    alert: 'WorkflowBlocked',
    minute: 5,
    bad: { 'sagas_waiting{saga="checkout",state="blocked"}': '2x30' },
    fired: {
      labels: { saga: 'checkout' },
      summary: '2 checkout workflows are blocked and need attention',
    },
    good: { 'sagas_waiting{saga="checkout",state="blocked"}': '0x30' },
  },
  {
    alert: 'WorkflowRetrying',
    minute: 15,
    bad: { 'sagas_waiting{saga="checkout",state="retrying"}': '3x30' },
    fired: { labels: { saga: 'checkout' }, summary: '3 checkout workflows fail and are retried' },
    good: { 'sagas_waiting{saga="checkout",state="retrying"}': '0x4 3x6 0x30' },
  },
  {
    alert: 'RestoreReadsLeft',
    minute: 10,
    bad: { 'jobs_open{kind="restore.payment",state="ready"}': '7x30' },
    fired: {
      labels: { kind: 'restore.payment' },
      summary: '7 restore.payment jobs are open since the restore and hold back requests',
    },
    good: { 'jobs_open{kind="payment.read",state="ready"}': '7x30' },
  },
  {
    alert: 'PaymentMismatch',
    minute: 70,
    bad: { payments_mismatched: '1x60 2x60' },
    fired: { summary: '1 more payments with a status mismatch' },
    good: { payments_mismatched: '2x120' },
  },
  {
    alert: 'WebhooksRefused',
    minute: 25,
    bad: { 'webhooks_received_total{outcome="refused"}': '0+8x60' },
    fired: { summary: 'Webhooks are rejected' },
    good: {
      'webhooks_received_total{outcome="refused"}': '0+4x60',
      'webhooks_received_total{outcome="stored"}': '0+90x60',
    },
  },
  {
    alert: 'ReadsLate',
    minute: 40,
    bad: { payment_read_overdue_seconds: '3601x60' },
    fired: { summary: 'Payments are polled an hour late' },
    good: { payment_read_overdue_seconds: '3599x60' },
  },
  {
    alert: 'AccountUnread',
    minute: 70,
    bad: { accounts_with_overdue_reads: '2x90' },
    fired: { summary: '2 provider accounts are not polled: their payouts are not reconciled' },
    good: { accounts_with_overdue_reads: '0x90' },
  },
  {
    alert: 'MerchantWaits',
    minute: 250,
    bad: { 'merchants_needing_attention{reason="mismatch"}': '1x300' },
    fired: { labels: { reason: 'mismatch' }, summary: 'A merchant needs attention: mismatch' },
    good: { 'merchants_needing_attention{reason="mismatch"}': '1x200 0x100' },
  },
  {
    alert: 'HistoryRowFailed',
    minute: 30,
    bad: { 'history_rows_total{mode="live",outcome="failed"}': '0x20 1x40' },
    fired: { summary: 'A company status change cannot be processed' },
    good: { 'history_rows_total{mode="live",outcome="recorded"}': '0x20 1x40' },
  },
  {
    alert: 'HistoryOld',
    minute: 70,
    bad: { 'history_watermark_age_seconds{mode="live"}': '108001x90' },
    fired: {
      labels: { mode: 'live' },
      summary: 'A day of the live status history has not been polled completely',
    },
    good: { 'history_watermark_age_seconds{mode="live"}': '107999x90' },
  },
  {
    alert: 'MerchantReadsLate',
    minute: 40,
    bad: {
      'merchant_read_overdue_seconds{read="company",mode="live"}': '21601x60',
      'merchant_read_overdue_seconds{read="company",mode="test"}': '21599x60',
    },
    fired: {
      labels: { read: 'company', mode: 'live' },
      summary: 'Reads of live merchants (company) are 6 hours late',
    },
    good: { 'merchant_read_overdue_seconds{read="company",mode="live"}': '21599x60' },
  },
  {
    alert: 'NoAuthorizations',
    minute: 60,
    bad: {
      'orders_placed_total{instance="api"}': '0+1x90',
      'payments_authorized_total{instance="api",method="card"}': '0x90',
      'payments_authorized_total{instance="worker",method="card"}': '50x90',
    },
    fired: { summary: 'Orders are placed, and no payment is authorized' },
    good: {
      'orders_placed_total{instance="api"}': '0+1x90',
      'payments_authorized_total{instance="api",method="card"}': '0x90',
      'payments_authorized_total{instance="worker",method="card"}': '0x45 1x45',
    },
  },
  {
    alert: 'AuthorizationRateLow',
    minute: 80,
    bad: {
      'payments_authorized_total{method="card"}': '0+1x90',
      'payments_authorized_total{method="sepa"}': '0+1x90',
      'payment_attempts_declined_total{method="card",code="51"}': '0+1x90',
      'payment_attempts_declined_total{method="card",code="05"}': '0+1x90',
    },
    fired: {
      labels: { method: 'card' },
      summary: 'Banks decline more than half of the attempts to pay by card',
    },
    good: {
      'payments_authorized_total{method="card"}': '0+3x90',
      'payments_authorized_total{method="sepa"}': '0x90',
      'payment_attempts_declined_total{method="card",code="51"}': '0+2x90',
    },
  },
  {
    alert: 'PaidLate',
    minute: 90,
    bad: {
      'order_time_to_paid_seconds_bucket{capture="automatic",le="1800"}': '0+4x120',
      'order_time_to_paid_seconds_bucket{capture="automatic",le="3600"}': '0+9x120',
      'order_time_to_paid_seconds_bucket{capture="automatic",le="+Inf"}': '0+9x120',
      'order_time_to_paid_seconds_count{capture="automatic"}': '0+9x120',
    },
    fired: { summary: 'Half of the orders take longer than 30 minutes until they are paid' },
    good: {
      'order_time_to_paid_seconds_bucket{capture="automatic",le="1800"}': '0+5x120',
      'order_time_to_paid_seconds_bucket{capture="automatic",le="3600"}': '0+9x120',
      'order_time_to_paid_seconds_bucket{capture="automatic",le="+Inf"}': '0+9x120',
      'order_time_to_paid_seconds_count{capture="automatic"}': '0+9x120',
      'order_time_to_paid_seconds_bucket{capture="delayed",le="1800"}': '0x120',
      'order_time_to_paid_seconds_bucket{capture="delayed",le="+Inf"}': '0+9x120',
      'order_time_to_paid_seconds_count{capture="delayed"}': '0+9x120',
    },
  },
  {
    alert: 'NoCaptures',
    minute: 120,
    bad: {
      'payments_authorized_total{method="card"}': '0+1x150',
      'captured_amount_minor_total{currency="eur"}': '900x150',
    },
    fired: { summary: 'Card payments are authorized, and for four days none has been captured' },
    good: {
      'payments_authorized_total{method="card"}': '0+1x150',
      'captured_amount_minor_total{currency="eur"}': '900x40 950x110',
      'captured_amount_minor_total{currency="usd"}': '0x150',
    },
  },
  {
    alert: 'RefundsHigh',
    minute: 90,
    bad: {
      'refunded_amount_minor_total{currency="eur"}': '0+60x120',
      'captured_amount_minor_total{currency="eur"}': '0+100x120',
      'captured_amount_minor_total{currency="usd"}': '0+900x120',
    },
    fired: {
      labels: { currency: 'eur' },
      summary: 'The refunds of a week in eur exceed half of the captures',
    },
    good: {
      'refunded_amount_minor_total{currency="eur"}': '0+40x120',
      'captured_amount_minor_total{currency="eur"}': '0+100x120',
    },
  },
  {
    alert: 'ChargebacksHigh',
    minute: 90,
    bad: {
      'charged_back_amount_minor_total{currency="eur"}': '0+2x120',
      'captured_amount_minor_total{currency="eur"}': '0+100x120',
      'captured_amount_minor_total{currency="usd"}': '0+900x120',
    },
    fired: {
      labels: { currency: 'eur' },
      summary: 'The chargebacks of a week in eur exceed 1% of the captures',
    },
    good: {
      'charged_back_amount_minor_total{currency="eur"}': '0+1x120',
      'captured_amount_minor_total{currency="eur"}': '0+110x120',
    },
  },
  {
    alert: 'BreaksOld',
    minute: 70,
    bad: {
      'reconciliation_breaks_open{age="7-29"}': '1x90',
      'reconciliation_breaks_open{age="30+"}': '0x90',
    },
    fired: { summary: 'Reconciliation breaks are open for a week or more' },
    good: {
      'reconciliation_breaks_open{age="2-6"}': '9x90',
      'reconciliation_breaks_open{age="30+"}': '0x90',
    },
  },
  {
    alert: 'WebhookFeedBehind',
    minute: 10,
    bad: { webhook_feed_lag_seconds: '61x30' },
    fired: {
      summary: 'Events are queued for the webhook endpoints of platforms more than a minute late',
    },
    good: { webhook_feed_lag_seconds: '59x30' },
  },
  {
    alert: 'WebhookDeliveriesLate',
    minute: 15,
    bad: { webhook_delivery_overdue_seconds: '301x30' },
    fired: { summary: 'Webhooks to platforms are sent more than five minutes late' },
    good: { webhook_delivery_overdue_seconds: '299x30' },
  },
  {
    alert: 'EndpointDisabled',
    minute: 70,
    bad: { 'webhook_endpoints{status="disabled"}': '1x60 2x60' },
    fired: {
      summary:
        'A webhook endpoint of a platform was disabled: it failed for three days or answered 410',
    },
    good: { 'webhook_endpoints{status="disabled"}': '2x120' },
  },
];
