import { Link } from 'wouter';
import { pathOf } from './entity-types';

/** Entity types by the prefix of their ids. */
const TYPES: Readonly<Record<string, string>> = {
  ord: 'order',
  pay: 'payment',
  mer: 'merchant',
  pout: 'payout',
  acc: 'account',
  whe: 'webhook_endpoint',
};

interface EntityLinkProps {
  readonly id: string;
  /** The entity type; by default it follows from the prefix of the id. */
  readonly type?: string | null;
}

/** An id as a link to the entity's page; as plain text if there is no such page. */
export const EntityLink = ({ id, type }: EntityLinkProps) => {
  const path = pathOf(type ?? TYPES[id.split('_', 1)[0] ?? ''] ?? null, id);
  // A preview may contain an entity that is not created yet: such an entity has no page.
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
