// Everything works without this script. With it, pages follow what happens, and ask before what cannot be undone.

const waitMs = 250;
const listEveryMs = 5_000;

function showTimes(root) {
  for (const time of root.querySelectorAll('time[datetime]')) {
    const moment = new Date(time.dateTime);
    if (Number.isNaN(moment.getTime())) continue;
    time.title = moment.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
  }
}

/** Replaces what a newer version of the page shows, and keeps what the reader folded. */
function update(page) {
  for (const fresh of page.querySelectorAll('[data-live]')) {
    const shown = document.getElementById(fresh.id);
    if (!shown || shown.innerHTML === fresh.innerHTML || shown.contains(document.activeElement)) continue;
    for (const details of shown.querySelectorAll('details[id]')) {
      const same = fresh.querySelector(`#${CSS.escape(details.id)}`);
      if (same) same.open = details.open;
    }
    showTimes(fresh);
    shown.replaceChildren(...fresh.childNodes);
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
];

/** Follows the events of a job. A browser resumes a lost connection by itself; a hidden page keeps none. */
function follow(element) {
  const behind = document.querySelector('.behind');
  const address = new URL(element.dataset.events, location.href);
  let source;
  let isWaiting = false;
  let query = { live: 'story' };
  const soon = () => {
    if (isWaiting) return;
    isWaiting = true;
    setTimeout(async () => {
      const asked = query;
      isWaiting = false;
      query = { live: 'story' };
      const isDone = await reload(asked).catch(() => false);
      if (!isDone) query = asked;
    }, waitMs);
  };
  const onEvent = ({ type, lastEventId }) => {
    address.searchParams.set('after', lastEventId);
    // The change on GitHub is read again only when it may have moved.
    if (type.startsWith('pull_request.') || type.startsWith('job.')) query = {};
    soon();
  };
  const open = () => {
    source = new EventSource(address);
    for (const type of eventTypes) source.addEventListener(type, onEvent);
    source.onopen = () => {
      behind.hidden = true;
    };
    source.onerror = () => {
      behind.hidden = false;
      if (source.readyState === EventSource.CLOSED) setTimeout(() => document.hidden || open(), listEveryMs);
    };
  };
  document.addEventListener('visibilitychange', () => {
    source?.close();
    if (!document.hidden) open();
  });
  open();
}

document.addEventListener('submit', (event) => {
  const question = event.target.closest('form')?.dataset.confirm;
  if (question && !window.confirm(question)) event.preventDefault();
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

showTimes(document);
const followed = document.querySelector('[data-events]');
if (followed) follow(followed);
if (document.querySelector('[data-refresh]')) {
  setInterval(() => document.hidden || reload().catch(() => {}), listEveryMs);
}
