/** The stroke paths of the icons, in a view box of 24 by 24. */
const PATHS = {
  overview: 'M4 13h6V4H4zM14 20h6V11h-6zM4 20h6v-3H4zM14 7h6V4h-6z',
  cases: 'M4 8h16v11H4zM9 8V5h6v3M4 13h16M11 13v2h2v-2',
  money: 'M12 3v18M16.500 7.500C15 5.500 8 5 8 8.700s8.500 2.300 8.500 6.300-7 3.700-9 1.300',
  ledger: 'M5 4h14v16H5zM9 4v16M12 9h4M12 13h4',
  orders: 'M6 8h12l1 12H5zM9 8V7a3 3 0 0 1 6 0v1',
  payments: 'M3 7h18v11H3zM3 11h18M7 15h3',
  payouts: 'M4 20h16M6 16v-5M10 16v-5M14 16v-5M18 16v-5M3 8l9-5 9 5z',
  reconciliation: 'M12 4v16M5 20h14M5 7h14M5 7l-3 7h6zM19 7l-3 7h6z',
  merchants: 'M4 10v10h16V10M3 10l2-6h14l2 6zM10 20v-5h4v5',
  queues: 'M4 6h16M4 12h16M4 18h10',
  webhooks: 'M13 3 5 14h6l-1 7 8-11h-6z',
  approvals: 'M5 12l4 4L19 6M4 20h16',
  users:
    'M9 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8M2 21c0-4 3-6 7-6s7 2 7 6M16 4a4 4 0 0 1 0 7M18 15c3 1 4 3 4 6',
  settings: 'M4 7h9M17 7h3M4 17h3M11 17h9M15 5v4M9 15v4',
  audit: 'M6 3h9l4 4v14H6zM10 11h6M10 15h6M14 3v5h5',
  search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13M15.5 15.5 20 20',
  sun:
    'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8M12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.5 1.5' +
    'M17.5 17.5 19 19M19 5l-1.5 1.5M6.5 17.5 5 19',
  moon: 'M20 14A8.5 8.5 0 1 1 10 4a7 7 0 0 0 10 10z',
  device: 'M4 5h16v11H4zM9 20h6M12 16v4',
  user: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8M4 21c0-4 3.5-6 8-6s8 2 8 6',
  keyboard: 'M3 6h18v12H3zM7 10h.01M11 10h.01M15 10h.01M8 14h8',
  download: 'M12 4v11M7 11l5 5 5-5M4 20h16',
  chevronDown: 'M6 9l6 6 6-6',
  chevronLeft: 'M15 6l-6 6 6 6',
  chevronRight: 'M9 6l6 6-6 6',
  close: 'M6 6l12 12M18 6L6 18',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  check: 'M5 12l5 5L20 7',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18M12 7v5l3 2',
  warning: 'M12 4 2 20h20zM12 10v4M12 17h.01',
  history: 'M4 12a8 8 0 1 1 2.5 5.800M4 12V7M4 12h5M12 8v4l3 2',
  filter: 'M4 5h16l-6 8v6l-4-2v-4z',
  external: 'M14 4h6v6M20 4l-9 9M18 14v6H4V6h6',
} as const;

export type IconName = keyof typeof PATHS;

interface IconProps {
  readonly name: IconName;
  readonly size?: number;
}

/** An icon, hidden from screen readers, because every icon has a text beside it. */
export const Icon = ({ name, size = 18 }: IconProps) => (
  <svg
    width={size}
    height={size}
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth={1.7}
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
    focusable="false"
  >
    <path d={PATHS[name]} />
  </svg>
);

export const Logo = ({ size = 28 }: { readonly size?: number }) => (
  <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
    <rect width="32" height="32" rx="8" fill="#3b5bdb" />
    <path
      d="M8 20l5-8 5 6 3-4 3 6"
      fill="none"
      stroke="#fff"
      strokeWidth="2.6"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  </svg>
);
