import { reload, seeLate } from './follow.js';

/** The address of a message or run becomes that of the page: nothing else moves. */
export function followPermalinks() {
  document.addEventListener('click', (event) => {
    const link = event.target.closest?.('a.when');
    const id = link?.hash.slice(1);
    if (!id || !isPlain(event) || !document.getElementById(id)) return;
    event.preventDefault();
    const address = new URL(location.href);
    address.searchParams.set('at', id);
    address.hash = '';
    history.pushState(null, '', address);
    // Marks the target, which the change of the history does not.
    location.replace(`#${id}`);
  });
}

const isPlain = ({ metaKey, ctrlKey, shiftKey, button }) => !metaKey && !ctrlKey && !shiftKey && button === 0;

/** Links with `data-view` show another part of the same page: nothing else moves, and nothing typed is lost. */
export function followViews(reopen) {
  const show = async (address) => {
    await reload(address);
    reopen();
    seeLate();
  };
  document.addEventListener('click', async (event) => {
    const link = event.target.closest?.('a[data-view]');
    if (!link || !isPlain(event)) return;
    event.preventDefault();
    const { href } = link;
    try {
      await show(href);
    } catch {
      // The page itself says what is wrong.
      return location.assign(href);
    }
    history.pushState(null, '', href);
    const target = link.hash && document.getElementById(decodeURIComponent(link.hash.slice(1)));
    if (target) target.scrollIntoView();
    else document.getElementById('side')?.closest('.pane')?.scrollTo(0, 0);
  });
  addEventListener('popstate', () => show(location.href).catch(() => location.reload()));
}
