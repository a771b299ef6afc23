import { Amount } from '../shared/amount';
import { Day, Time } from '../shared/time';
import type { FlatValue } from './flat-state';
import { EntityLink } from './entity-link';

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)$/;
const DAY = /^\d{4}-\d\d-\d\d$/;
const ID = /^(ord|pay|mer|pout|acc)_\w+$/;

interface ValueProps {
  readonly name: string;
  readonly value: FlatValue['value'];
  /** The currency of the amounts. */
  readonly currency: string | null;
}

/** A value formatted as an amount, an instant, a link or text. */
export const Value = ({ name, value, currency }: ValueProps) => {
  if (value === null) return <span className="mono">null</span>;
  if (typeof value === 'number' && currency !== null && /minor$/i.test(name)) {
    return <Amount amountMinor={value} currency={currency} />;
  }
  if (typeof value === 'number' && name.endsWith('Ms')) {
    return <span className="mono">{value}&nbsp;ms</span>;
  }
  if (typeof value !== 'string') return <span className="mono">{String(value)}</span>;
  if (INSTANT.test(value)) return <Time at={value} />;
  if (DAY.test(value)) return <Day day={value} />;
  if (ID.test(value)) return <EntityLink id={value} />;
  return <span style={{ overflowWrap: 'anywhere' }}>{value}</span>;
};
