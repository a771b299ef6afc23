import { formatDay } from '../../shared/format';
import { lists } from './lists';

/**
 * A pattern of notes that the API or the worker writes, and a function that builds the translated
 * text from the pattern's groups.
 */
type NoteText = readonly [pattern: RegExp, text: (...groups: string[]) => string];

const statuses: Readonly<Record<string, string>> = lists.paymentStatus;
const statusOf = (code = ''): string => `“${statuses[code] ?? code}”`;

/**
 * Only notes that contain codes are rewritten, because the API and the worker already write their
 * notes in English.
 */
export const notes: readonly NoteText[] = [
  [
    /^ignored: the payment’s status is already (\w+)$/,
    (status) => `ignored: the payment’s status is already ${statusOf(status)}`,
  ],
  [/^read: (\w+)$/, (status) => `read from the provider: ${statusOf(status)}`],
  [/^in a payout by (\S+)$/, (day = '') => `in a payout by ${formatDay(day, 'en-GB')}`],
];
