import { Button } from '@mantine/core';
import { useT } from '../i18n/i18n';

interface MoreButtonProps {
  readonly pages: {
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => Promise<unknown>;
  };
}

/** Fetches the next page of a list. */
export const MoreButton = ({ pages }: MoreButtonProps) => {
  const t = useT();
  return (
    <Button
      variant="default"
      loading={pages.isFetchingNextPage}
      onClick={() => void pages.fetchNextPage()}
    >
      {t.shared.more}
    </Button>
  );
};
