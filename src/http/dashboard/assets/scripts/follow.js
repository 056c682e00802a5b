import { update } from './morph.js';
import { notify, wantsNews } from './notify.js';

const waitMs = 250;
const reopenMs = 5_000;
const behindAfterMs = 1_500;

/** Events after which a page reads all of itself again. */
const wholePage = [
  'pull_request.opened',
  'pull_request.updated',
  'job.completed',
  'job.failed',
  'job.archived',
  'job.unarchived',
  'jobs.changed',
];

const parse = (text) => new DOMParser().parseFromString(text, 'text/html');

const isLost = 'The connection is lost.';

/** Reads this page, or another view of it, and shows what is new. Throws an error that says for people why it could not. */
export async function reload(address = location.href) {
  const response = await fetch(address, { headers: { accept: 'text/html' } }).catch((cause) => {
    throw new Error(isLost, { cause });
  });
  // Signed out, or not allowed any more: the page itself says so.
  if ([401, 403, 404].includes(response.status)) location.reload();
  if (!response.ok) throw new Error(`Pagewright answered with an error (${response.status}).`);
  const page = parse(await response.text());
  const { title } = page;
  sayNews(page);
  update(page);
  document.title = title;
  const [icon, newer] = [document, page].map((shown) => shown.querySelector('link[rel="icon"]'));
  if (newer && icon.href !== newer.href) icon.href = newer.href;
}

const lateMs = 900;
const mostLooks = 3;

/** Colours that were not ready with the page. */
export function seeLate(looks = mostLooks) {
  if (looks > 0 && document.querySelector('[data-late]'))
    setTimeout(async () => {
      await reload().catch(console.warn);
      seeLate(looks - 1);
    }, lateMs);
}

const working = 'Working';

/** Tells the new state of a job: to a screen reader, and to a person who looks elsewhere. */
function sayNews(page) {
  const [before, now] = [document, page].map((shown) => shown.querySelector('#job .status')?.textContent);
  const news = document.getElementById('news');
  if (!now || now === before) return;
  if (news) news.textContent = `This job: ${now}.`;
  if (before === working) notify(now, document.querySelector('#job h1').textContent);
}

/** Says why the page is behind, unless it caught up in a moment. Undefined: it is not. */
function createBehind() {
  const notice = document.querySelector('.behind > *');
  let timer;
  return (reason) => {
    clearTimeout(timer);
    if (reason === undefined) notice.hidden = true;
    else
      timer = setTimeout(() => {
        notice.querySelector('strong').textContent = reason;
        notice.hidden = false;
      }, behindAfterMs);
  };
}

/** Follows a job, or a list of jobs. A browser resumes a lost connection by itself; a hidden page keeps none, unless its person waits for news. */
export function follow() {
  const showBehind = createBehind();
  const find = () => document.querySelector('[data-events]').dataset;
  let source;
  let last;
  let isWaiting = false;
  const soon = (pauseMs = waitMs) => {
    if (isWaiting) return;
    isWaiting = true;
    setTimeout(async () => {
      isWaiting = false;
      const failure = await reload().catch((error) => error);
      showBehind(failure?.message);
      if (failure) soon(reopenMs);
    }, pauseMs);
  };
  const open = () => {
    source?.close();
    const { events, position } = find();
    const address = new URL(events, location.href);
    if (last !== undefined) address.searchParams.set(position, last);
    source = new EventSource(address);
    source.addEventListener('changed', ({ lastEventId, data }) => {
      last = lastEventId;
      const page = parse(JSON.parse(data));
      sayNews(page);
      if (!update(page)) soon();
    });
    for (const type of wholePage)
      source.addEventListener(type, ({ lastEventId }) => {
        last = lastEventId;
        soon();
      });
    source.onopen = () => showBehind();
    source.onerror = () => {
      showBehind(isLost);
      if (source.readyState === EventSource.CLOSED) setTimeout(reopen, reopenMs);
    };
  };
  // The server refused the stream: the page itself says why, if it does not allow it any more.
  const reopen = async () => {
    await reload().catch(({ message }) => showBehind(message));
    if ((!document.hidden || wantsNews()) && source.readyState === EventSource.CLOSED) open();
  };
  document.addEventListener('visibilitychange', () => {
    const isWaited = wantsNews() && document.querySelector('#job .status')?.textContent === working;
    if (document.hidden) return isWaited || source.close();
    if (source.readyState === EventSource.CLOSED) open();
  });
  open();
  return open;
}
