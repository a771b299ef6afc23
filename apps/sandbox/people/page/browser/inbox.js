const POLL_MS = 2_000;

const list = document.getElementById('messages');
const empty = document.getElementById('inbox-empty');

const element = (tag, className, text = '') => {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
};

const itemOf = ({ id, to, at, time, body, isErased }) => {
  const item = element('li', 'message');
  item.dataset.message = id;
  if (isErased) item.dataset.erased = '';
  const head = element('p', 'message-head');
  const when = element('time', '', time);
  when.dateTime = at;
  head.append(element('span', '', to), when);
  item.append(head, element('p', 'message-body', body));
  return item;
};

const show = (messages) => {
  const known = new Map([...list.children].map((item) => [item.dataset.message, item]));
  const fresh = messages.filter(({ id }) => !known.has(id));
  for (const message of messages) {
    const item = known.get(message.id);
    const isNews = item !== undefined && message.isErased && item.dataset.erased === undefined;
    if (isNews) item.replaceWith(itemOf(message));
  }
  list.prepend(...fresh.map(itemOf));
  empty.hidden = list.children.length > 0;
};

const poll = async () => {
  try {
    const response = await fetch(`${location.pathname}/messages`, { cache: 'no-store' });
    if (response.ok) show(await response.json());
  } catch (error) {
    console.warn('the inbox does not answer', error);
  }
  setTimeout(poll, POLL_MS);
};

document.documentElement.dataset.ready = 'yes';
await poll();
