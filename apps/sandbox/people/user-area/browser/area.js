/**
 * Optional script; every page works without it. Copies ids, advances the shown clock, and prevents
 * submitting a form twice.
 */
const said = document.getElementById('live');
const { copied, busy } = document.body.dataset;

const say = (text) => {
  if (said) said.textContent = text;
};

for (const button of document.querySelectorAll('[data-copy]')) {
  button.hidden = false;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(button.dataset.copy);
    button.classList.add('is-copied');
    say(copied);
    setTimeout(() => button.classList.remove('is-copied'), 1_500);
  });
}

/* On a phone the navigation is a scrolling row: show its current link. */
document
  .querySelector('.nav-link[aria-current]')
  ?.scrollIntoView({ inline: 'center', block: 'nearest' });

/* The sandbox's clock continues at its configured rate from the time in the page's data. */
const language = document.documentElement.lang === 'fr' ? 'fr-FR' : 'en-GB';
const short = new Intl.DateTimeFormat(language, {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
});
const begun = performance.now();
const clocks = [...document.querySelectorAll('[data-clock-rate]')].map((element) => ({
  element,
  from: Date.parse(element.dateTime),
  rate: Number(element.dataset.clockRate),
}));
const tick = () => {
  for (const { element, from, rate } of clocks) {
    const now = new Date(from + (performance.now() - begun) * rate);
    const isFace = element.dataset.clockFace === 'yes';
    element.textContent = isFace ? now.toISOString().slice(11, 19) : `${short.format(now)} UTC`;
  }
};
setInterval(tick, 1_000);

for (const form of document.querySelectorAll('form[method=post]')) {
  form.addEventListener('submit', (event) => {
    if (form.dataset.sent === 'yes') {
      event.preventDefault();
      return;
    }
    form.dataset.sent = 'yes';
    form.querySelector('.button')?.setAttribute('aria-disabled', 'true');
    say(busy);
  });
}

/** Keeps at most one panel open; Escape and a click outside close the panel. */
const panels = [...document.querySelectorAll('.panel-action')];
const closeAllBut = (kept) => {
  for (const panel of panels) if (panel !== kept) panel.open = false;
};
for (const panel of panels) {
  panel.addEventListener('toggle', () => {
    if (!panel.open) return;
    closeAllBut(panel);
    panel.querySelector('.action-panel input:not([type=hidden]), .action-panel select')?.focus();
  });
}
document.addEventListener('keydown', ({ key }) => {
  const open = panels.find((panel) => panel.open);
  if (key !== 'Escape' || open === undefined) return;
  open.open = false;
  open.querySelector('summary').focus();
});
document.addEventListener('click', ({ target }) => {
  if (!target.closest('.panel-action')) closeAllBut(null);
});

/** A page restored from the browser's history has forms that may be submitted again. */
window.addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll('form[data-sent]')) delete form.dataset.sent;
  for (const button of document.querySelectorAll('[aria-disabled]')) {
    button.removeAttribute('aria-disabled');
  }
});

document.documentElement.dataset.ready = 'yes';
