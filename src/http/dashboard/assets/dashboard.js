// Everything works without this script. With it, pages follow what happens, and ask before what cannot be undone.

const waitMs = 250;
const reopenMs = 5_000;
const behindAfterMs = 1_500;
const tickMs = 30_000;

const units = [
  ['year', 365 * 24 * 3600],
  ['month', 30 * 24 * 3600],
  ['day', 24 * 3600],
  ['hour', 3600],
  ['minute', 60],
];
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** As the server says it, but it stays true, and the exact time is in the reader's zone. */
function showTimes(root) {
  for (const time of root.querySelectorAll('time[datetime]')) {
    const moment = new Date(time.dateTime);
    if (Number.isNaN(moment.getTime())) continue;
    time.title = moment.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
    const seconds = Math.round((moment.getTime() - Date.now()) / 1_000);
    const [unit, length] = units.find(([, unitSeconds]) => Math.abs(seconds) >= unitSeconds) ?? [];
    const now = seconds > 0 ? 'in a moment' : 'just now';
    const text = unit ? relative.format(Math.round(seconds / length), unit) : now;
    if (time.textContent !== text) time.textContent = text;
  }
}

const focusable = 'a[href], button, input, summary, [tabindex]';

/** Where the focus is, in words that hold for a newer version of the page. */
function findFocus(root) {
  const { activeElement } = document;
  if (!root.contains(activeElement)) return undefined;
  const parent = activeElement.parentElement.closest('[id]');
  return { id: parent.id, place: [...parent.querySelectorAll(focusable)].indexOf(activeElement) };
}

const indexOf = ({ id }) => Number(id.slice(id.lastIndexOf('-') + 1));

/** A turn with an open fold stays, and those after it, also when the newer version shows only turns that are newer still. */
function keepOpenTurns(shown, fresh) {
  const find = (id) => fresh.querySelector(`#${CSS.escape(id)}`);
  for (const list of shown.querySelectorAll('.calls[id]')) {
    const turns = [...list.children];
    const first = turns.findIndex((turn) => turn.querySelector('details[open]'));
    const gone = first === -1 ? [] : turns.slice(first).filter(({ id }) => !find(id));
    if (gone.length === 0) continue;
    if (!find(list.id)) find(`${list.id}-fold`)?.append(list.cloneNode());
    const kept = gone.map((turn) => turn.cloneNode(true));
    const next = find(list.id)?.firstElementChild;
    // A page that was hidden for long may have missed some.
    if (next && indexOf(next) > indexOf(kept.at(-1)) + 1) kept.at(-1).classList.add('gap');
    find(list.id)?.prepend(...kept);
  }
}

/** Replaces what a newer version of the page shows, keeps what the reader folded and where the focus is, and tells a screen reader the new status of a job. */
function update(page) {
  const [before, now] = [document, page].map((shown) => shown.querySelector('#job .status')?.textContent);
  if (now && now !== before) document.getElementById('news').textContent = `This job is ${now}.`;
  for (const fresh of page.querySelectorAll('[data-live]')) {
    const shown = document.getElementById(fresh.id);
    if (!shown) continue;
    for (const details of shown.querySelectorAll('details[id]')) {
      const same = fresh.querySelector(`#${CSS.escape(details.id)}`);
      if (same) same.open = details.open;
    }
    keepOpenTurns(shown, fresh);
    showTimes(fresh);
    if (shown.innerHTML === fresh.innerHTML) continue;
    const focus = findFocus(shown);
    shown.replaceChildren(...fresh.childNodes);
    if (focus)
      document.getElementById(focus.id)?.querySelectorAll(focusable)[focus.place]?.focus({ preventScroll: true });
  }
  document.title = page.title;
}

async function reload(query = {}) {
  const address = new URL(location.href);
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
  const response = await fetch(address, { headers: { accept: 'text/html' } });
  // Signed out, or not allowed any more: the page itself says so.
  if ([401, 403, 404].includes(response.status)) location.reload();
  if (response.ok) update(new DOMParser().parseFromString(await response.text(), 'text/html'));
  return response.ok;
}

const eventTypes = [
  'message.accepted',
  'run.started',
  'turn.answered',
  'tool.finished',
  'file.changed',
  'check.problem',
  'run.ended',
  'pull_request.opened',
  'pull_request.updated',
  'job.completed',
  'job.failed',
  'job.archived',
  'job.unarchived',
  'jobs.changed',
];

/** Says that the page is behind, unless it caught up in a moment. */
function createBehind() {
  const notice = document.querySelector('.behind > *');
  let timer;
  return (isBehind) => {
    clearTimeout(timer);
    if (!isBehind) notice.hidden = true;
    else
      timer = setTimeout(() => {
        notice.hidden = false;
      }, behindAfterMs);
  };
}

/** Follows the events of a job, or of a list. A browser resumes a lost connection by itself; a hidden page keeps none. */
function follow(element) {
  const showBehind = createBehind();
  const address = new URL(element.dataset.events, location.href);
  const { position } = element.dataset;
  let source;
  let isWaiting = false;
  let query = { live: 'story' };
  const soon = (pauseMs = waitMs) => {
    if (isWaiting) return;
    isWaiting = true;
    setTimeout(async () => {
      const asked = query;
      isWaiting = false;
      query = { live: 'story' };
      const isDone = await reload(asked).catch(() => false);
      showBehind(!isDone);
      if (isDone) return;
      query = asked;
      soon(reopenMs);
    }, pauseMs);
  };
  const onEvent = ({ type, lastEventId }) => {
    address.searchParams.set(position, lastEventId);
    // The change on GitHub is read again only when it may have moved.
    if (type.startsWith('pull_request.') || type.startsWith('job')) query = {};
    soon();
  };
  const open = () => {
    source = new EventSource(address);
    for (const type of eventTypes) source.addEventListener(type, onEvent);
    source.onopen = () => showBehind(false);
    source.onerror = () => {
      showBehind(true);
      if (source.readyState === EventSource.CLOSED) setTimeout(reopen, reopenMs);
    };
  };
  // The server refused the stream: the page itself says why, if it does not allow it any more.
  const reopen = async () => {
    await reload({ live: 'story' }).catch(() => {});
    if (!document.hidden && source.readyState === EventSource.CLOSED) open();
  };
  document.addEventListener('visibilitychange', () => {
    source.close();
    if (!document.hidden) open();
  });
  open();
}

const doubleClickMs = 2_000;

document.addEventListener('submit', (event) => {
  const { dataset } = event.target;
  const isTwice = event.timeStamp - Number(dataset.sent ?? -doubleClickMs) < doubleClickMs;
  if (isTwice || (dataset.confirm && !window.confirm(dataset.confirm))) return event.preventDefault();
  dataset.sent = event.timeStamp;
});

/** This tab keeps what was typed and not sent: through a reload, and while the person signs in again. */
const drafts = [...document.querySelectorAll('textarea')].map((field) => ({
  field,
  key: field.dataset.draft ?? new URL(field.form.action).pathname,
}));
for (const { field, key } of drafts) {
  if (field.value === '') field.value = sessionStorage.getItem(key);
  field.addEventListener('input', () => delete field.form.dataset.sent);
}
addEventListener('pagehide', () => {
  if (document.querySelector('form[action="/auth/sign-out"][data-sent]')) return sessionStorage.clear();
  for (const { field, key } of drafts) {
    const isSent = field.form?.dataset.sent !== undefined;
    if (field.dataset.draft || (field.value !== field.defaultValue && !isSent))
      sessionStorage.setItem(key, field.value);
    else sessionStorage.removeItem(key);
  }
});

for (const button of document.querySelectorAll('button[data-fill]')) {
  button.hidden = false;
  button.addEventListener('click', () => {
    const field = button.form?.querySelector('textarea');
    if (!field) return;
    field.value = button.dataset.fill;
    field.focus();
  });
}

for (const button of document.querySelectorAll('button[data-copy]')) {
  // Browsers have it for https and this machine only.
  button.hidden = !navigator.clipboard;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(button.dataset.copy);
    button.textContent = 'Copied';
  });
}

showTimes(document);
setInterval(() => document.hidden || showTimes(document), tickMs);
const followed = document.querySelector('[data-events]');
if (followed) follow(followed);
