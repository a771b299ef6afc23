import { Button, Checkbox, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { api, bodyOf, csrf, type Schemas } from '../api/client';
import { useT } from '../i18n/i18n';
import { useMay } from '../session/session-context';
import { ProblemAlert } from '../shared/problem-alert';
import { wrongField } from '../shared/wrong-fields';
import styles from './saved-views.module.css';

type View = Schemas['SavedViewAnswer'];
type ViewedList = Schemas['ViewedList'];

const VIEWED: Readonly<Record<ViewedList, true>> = {
  orders: true,
  payments: true,
  payouts: true,
  merchants: true,
  exceptions: true,
  webhooks: true,
  'webhooks-refused': true,
  audit: true,
};

/** Whether views of the list can be saved. */
export const isViewed = (list: string): list is ViewedList => Object.hasOwn(VIEWED, list);

const KEY = 'saved-views';
const MAX_NAME = 60;

interface ViewRowProps {
  readonly view: View;
  readonly onOpen: () => void;
}

const ViewRow = ({ view, onOpen }: ViewRowProps) => {
  const t = useT();
  const queries = useQueryClient();
  const isAdmin = useMay('admin');
  const { id, name, query, isShared, isOwn, ownerName } = view;
  const going = useMutation({
    mutationFn: () =>
      bodyOf(api.DELETE('/v1/saved-views/{id}', { params: { path: { id }, header: csrf() } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: [KEY] }),
  });
  return (
    <li className={styles['row']}>
      <div>
        <Link className="link" href={`?${query}`} onClick={onOpen}>
          {name}
        </Link>
        {isShared && (
          <Text size="xs" c="dimmed">
            {isOwn ? t.shared.views.shared : t.shared.views.sharedBy(ownerName)}
          </Text>
        )}
      </div>
      {(isOwn || isAdmin) && (
        <Button
          variant="subtle"
          size="compact-sm"
          loading={going.isPending}
          aria-label={t.shared.labeled(t.shared.views.delete, name)}
          onClick={() => going.mutate()}
        >
          {t.shared.views.delete}
        </Button>
      )}
      {going.error !== null && <ProblemAlert error={going.error} />}
    </li>
  );
};

/** Saves the filters and the sort order of the page under a name. */
const SaveForm = ({ list }: { readonly list: ViewedList }) => {
  const t = useT();
  const queries = useQueryClient();
  const [params] = useSearchParams();
  const [name, setName] = useState('');
  const [isShared, setShared] = useState(false);
  const query = params.toString();
  const saving = useMutation({
    mutationFn: () =>
      bodyOf(
        api.POST('/v1/saved-views', {
          params: { header: csrf() },
          body: { list, name: name.trim(), query, isShared },
        }),
      ),
    onSuccess: () => {
      setName('');
      return queries.invalidateQueries({ queryKey: [KEY] });
    },
  });
  const send = (event: FormEvent): void => {
    event.preventDefault();
    if (name.trim() !== '') saving.mutate();
  };
  if (query === '') return <Text size="sm">{t.shared.views.filterFirst}</Text>;
  return (
    <form onSubmit={send}>
      <Stack gap="sm">
        <TextInput
          label={t.shared.views.name}
          value={name}
          maxLength={MAX_NAME}
          required
          withAsterisk={false}
          error={wrongField(saving.error, 'name')}
          onChange={(event) => setName(event.target.value)}
        />
        <Checkbox
          label={t.shared.views.share}
          checked={isShared}
          onChange={(event) => setShared(event.target.checked)}
        />
        {saving.error !== null && <ProblemAlert error={saving.error} />}
        <Group justify="flex-end">
          <Button type="submit" loading={saving.isPending}>
            {t.shared.views.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
};

interface ViewsDialogProps {
  readonly list: ViewedList;
  readonly onClose: () => void;
}

const ViewsDialog = ({ list, onClose }: ViewsDialogProps) => {
  const t = useT();
  const maySave = useMay('operator');
  const { data, error } = useQuery({
    queryKey: [KEY, list],
    queryFn: ({ signal }) =>
      bodyOf(api.GET('/v1/saved-views', { params: { query: { list } }, signal })),
  });
  return (
    <Modal
      opened
      onClose={onClose}
      title={t.shared.views.title}
      closeButtonProps={{ 'aria-label': t.shared.close }}
    >
      <Stack>
        {error !== null && <ProblemAlert error={error} />}
        {data?.items.length === 0 && (
          <Text size="sm" c="dimmed">
            {t.shared.views.none}
          </Text>
        )}
        {data !== undefined && data.items.length > 0 && (
          <ul className={styles['rows']}>
            {data.items.map((view) => (
              <ViewRow key={view.id} view={view} onOpen={onClose} />
            ))}
          </ul>
        )}
        {maySave ? <SaveForm list={list} /> : <Text size="sm">{t.shared.views.operatorsSave}</Text>}
      </Stack>
    </Modal>
  );
};

/** The button that opens the saved views of a list. */
export const SavedViews = ({ list }: { readonly list: ViewedList }) => {
  const t = useT();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {t.shared.views.title}
      </Button>
      {isOpen && <ViewsDialog list={list} onClose={() => setOpen(false)} />}
    </>
  );
};
