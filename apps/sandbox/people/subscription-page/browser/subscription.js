/** The merchant's registration page: uploads documents and signs; then shows the keys and terminals. */
const byId = (id) => document.getElementById(id);
const { token, version, texts } = JSON.parse(byId('page-data').textContent);
const base = `/subscription/${encodeURIComponent(token)}`;

const announce = (text) => {
  byId('live').textContent = text;
};

const post = async (path, body = {}) => {
  const response = await fetch(path, {
    method: 'POST',
    cache: 'no-store',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return response.json();
};

/** Disables the button while `work` runs; shows a failure in `errorPlace`. */
const whileBusy = async (button, errorPlace, work) => {
  button.disabled = true;
  errorPlace.textContent = '';
  try {
    const problem = await work();
    if (problem) errorPlace.textContent = problem;
  } catch (error) {
    console.error('the service did not answer', error);
    errorPlace.textContent = texts.failed;
  }
  button.disabled = false;
};

const formOf = (place) => {
  const inputs = [...place.querySelectorAll('[data-file]')];
  const files = inputs.map((input) => input.files[0]).filter(Boolean);
  const fields = [...place.querySelectorAll('[data-meta]')];
  const meta = Object.fromEntries(fields.map((field) => [field.dataset.meta, field.value.trim()]));
  if (files.length < inputs.length || Object.values(meta).includes('')) {
    return { problem: fields.length > 0 ? texts.fillCard : texts.chooseFirst };
  }
  const form = new FormData();
  for (const file of files) form.append('file', file, file.name);
  if (fields.length > 0) {
    const json = new Blob([JSON.stringify(meta)], { type: 'application/json' });
    form.append('meta', json, 'meta.json');
  }
  return { form };
};

const upload = async (place) => {
  const { form, problem } = formOf(place);
  if (problem) return problem;
  announce(texts.uploading);
  const isThere = place.closest('.paper').dataset.there === 'yes';
  const response = await fetch(`/api/partners/document/${place.dataset.upload}`, {
    method: isThere ? 'PATCH' : 'POST',
    body: form,
  });
  const answer = await response.json();
  if (!response.ok) {
    const [fault] = answer.errors ?? [];
    return fault ? `${fault.field} ${fault.message}` : answer.message;
  }
  announce(texts.uploaded);
  // Reloads the page, because the server renders the remaining documents and the contract to sign.
  location.reload();
  return null;
};

for (const place of document.querySelectorAll('[data-upload]')) {
  const button = place.querySelector('button');
  const errorPlace = place.querySelector('.field-error');
  button.addEventListener('click', () => whileBusy(button, errorPlace, () => upload(place)));
}

/** Shows the details as they are now, because the merchant signs only what the page shows. */
const showChange = () => {
  history.replaceState({ hasChanged: true }, '');
  location.reload();
};

if (history.state?.hasChanged) {
  history.replaceState(null, '');
  const errorPlace = byId('sign-error');
  if (errorPlace) errorPlace.textContent = texts.changed;
}

const sendCode = byId('send-code');
const codeForm = byId('code-form');

sendCode?.addEventListener('click', () =>
  whileBusy(sendCode, byId('sign-error'), async () => {
    const { outcome } = await post(`${base}/code`);
    if (outcome !== 'sent') return texts[outcome] ?? texts.failed;
    codeForm.hidden = false;
    byId('code').focus();
    announce(byId('code-hint').textContent);
    return null;
  }),
);

codeForm?.addEventListener('submit', (event) => {
  event.preventDefault();
  const button = codeForm.querySelector('button');
  void whileBusy(button, byId('sign-error'), async () => {
    announce(texts.signing);
    const { outcome } = await post(`${base}/sign`, { code: byId('code').value.trim(), version });
    if (outcome === 'signed') {
      location.reload();
      return null;
    }
    if (outcome === 'changed') showChange();
    return texts[outcome] ?? texts.failed;
  });
});

const showKeys = byId('show-keys');
showKeys?.addEventListener('click', () =>
  whileBusy(showKeys, byId('area-error'), async () => {
    const { outcome, keys } = await post(`${base}/keys`);
    if (outcome !== 'shown') return texts.keysShown;
    byId('key-test').textContent = keys.test;
    byId('key-live').textContent = keys.live;
    byId('keys').hidden = false;
    showKeys.hidden = true;
    return null;
  }),
);

for (const button of document.querySelectorAll('[data-move]')) {
  const { terminal } = button.closest('[data-terminal]').dataset;
  button.addEventListener('click', () =>
    whileBusy(button, byId('area-error'), async () => {
      const path = `${base}/terminals/${encodeURIComponent(terminal)}`;
      const { outcome } = await post(path, { move: button.dataset.move });
      location.reload();
      return outcome === 'moved' ? null : texts.failed;
    }),
  );
}
