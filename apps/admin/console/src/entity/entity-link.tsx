import { Link } from 'wouter';
import { pathOf } from './entity-types';

/** By how our ids begin. */
const TYPES: Readonly<Record<string, string>> = {
  ord: 'order',
  pay: 'payment',
  mer: 'merchant',
  pout: 'payout',
  acc: 'account',
};

interface EntityLinkProps {
  readonly id: string;
  /** Default: told by the id. */
  readonly type?: string | null;
}

/** An id that leads to its page, where it has one. */
export const EntityLink = ({ id, type }: EntityLinkProps) => {
  const path = pathOf(type ?? TYPES[id.split('_', 1)[0] ?? ''] ?? null, id);
  // What a dry run would begin has no id yet, and no page.
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
