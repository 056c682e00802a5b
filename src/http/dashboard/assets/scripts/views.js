import { reload, seeLate } from './follow.js';

/** Links with `data-view` show another part of the same page: nothing else moves, and nothing typed is lost. */
export function followViews(reopen) {
  const show = async (address) => {
    const isShown = await reload(address).catch(() => false);
    if (isShown) {
      reopen();
      seeLate();
    }
    return isShown;
  };
  document.addEventListener('click', async (event) => {
    const link = event.target.closest?.('a[data-view]');
    const isPlain = !event.metaKey && !event.ctrlKey && !event.shiftKey && event.button === 0;
    if (!link || !isPlain) return;
    event.preventDefault();
    const { href } = link;
    if (!(await show(href))) return location.assign(href);
    history.pushState(null, '', href);
    const target = link.hash && document.getElementById(decodeURIComponent(link.hash.slice(1)));
    if (target) target.scrollIntoView();
    else document.getElementById('side')?.closest('.pane')?.scrollTo(0, 0);
  });
  addEventListener('popstate', () => show(location.href));
}
