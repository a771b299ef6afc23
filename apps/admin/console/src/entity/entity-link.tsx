import { Link } from 'wouter';
import { pathOf } from './entity-types';

/** Entity types by the prefix of their ids. */
const TYPES: Readonly<Record<string, string>> = {
  ord: 'order',
  pay: 'payment',
  mer: 'merchant',
  pout: 'payout',
  acc: 'account',
};

interface EntityLinkProps {
  readonly id: string;
  /** The entity type; by default it follows from the prefix of the id. */
  readonly type?: string | null;
}

/** An id that links to its page, if it has one. */
export const EntityLink = ({ id, type }: EntityLinkProps) => {
  const path = pathOf(type ?? TYPES[id.split('_', 1)[0] ?? ''] ?? null, id);
  // An entity that a preview would create has no id yet, and so no page.
  if (path === null || id.endsWith('_…'))
    return (
      <span className="mono" title={id}>
        {id}
      </span>
    );
  return (
    <Link href={path} className="link mono" title={id}>
      {id}
    </Link>
  );
};
