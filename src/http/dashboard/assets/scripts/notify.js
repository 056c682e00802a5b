/** This browser is told when a job ends, if its person asked for it. */
const key = 'notify';

export const wantsNews = () =>
  'Notification' in window && Notification.permission === 'granted' && localStorage.getItem(key) === 'yes';

export function offerNews() {
  document.addEventListener('click', async ({ target }) => {
    const button = target.closest?.('button[data-notify]');
    if (!button) return;
    const isOn = !wantsNews() && (await Notification.requestPermission()) === 'granted';
    localStorage.setItem(key, isOn ? 'yes' : 'no');
    showNewsOffer();
  });
}

/** Called again when the page has changed. */
export function showNewsOffer() {
  for (const button of document.querySelectorAll('button[data-notify]')) {
    button.hidden = !('Notification' in window) || Notification.permission === 'denied';
    button.setAttribute('aria-pressed', String(wantsNews()));
  }
}

/** Only for a page that nobody looks at. */
export function notify(title, body) {
  if (!document.hidden || !wantsNews()) return;
  const icon = document.querySelector('link[rel="icon"]')?.href;
  const shown = new Notification(title, { body, icon, tag: location.pathname });
  shown.addEventListener('click', () => {
    window.focus();
    shown.close();
  });
}
