import type { Shipment } from './shipments.js';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string): string => text.replace(/[&<>"']/g, (one) => ENTITIES[one] ?? '');

const STYLE = `
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; padding: .4rem .8rem; border-bottom: 1px solid #ddd }
td.amount { text-align: right; font-variant-numeric: tabular-nums }
.stopped { color: #a40000 } .returned { color: #555 } .shipped { color: #006b2d }`;

const row = ({ orderId, status, amountMinor, currency, steps }: Shipment): string =>
  `<tr><td><code>${escaped(orderId)}</code></td>` +
  `<td class="amount">${(amountMinor / 100).toFixed(2)} ${escaped(currency.toUpperCase())}</td>` +
  `<td class="${status}">${status}</td>` +
  `<td>${steps
    .map(({ because, at }) => `${escaped(because)} ${escaped(at.slice(0, 16))}`)
    .join('<br>')}</td></tr>`;

export const shipmentsPage = (shipments: readonly Shipment[]): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Shipments</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>${STYLE}</style></head>
<body><h1>Shipments</h1>
${
  shipments.length === 0
    ? '<p>No order has been paid yet.</p>'
    : `<table>
<thead><tr><th>Order</th><th>Amount</th><th>Status</th><th>Events</th></tr></thead>
<tbody>
${shipments.map(row).join('\n')}
</tbody></table>`
}
</body></html>
`;
