/** What the page of the search finds, beside any page: `/` or Ctrl+K opens it, arrows move, Enter follows. */
export function offerPalette() {
  const link = document.querySelector('a[data-palette]');
  if (!link) return;
  for (const key of link.querySelectorAll('kbd')) key.hidden = false;
  const open = createPalette(link.href);
  link.addEventListener('click', (event) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    open();
  });
  document.addEventListener('keydown', (event) => {
    const isSlash = event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping(event.target);
    const isK = event.key === 'k' && (event.ctrlKey || event.metaKey);
    if (!(isSlash || isK) || document.querySelector('dialog[open]')) return;
    event.preventDefault();
    open();
  });
}

const isTyping = (target) => target.matches('input, textarea, select, [contenteditable]');

const pauseMs = 120;

function createPalette(address) {
  let dialog;
  let timer;
  let asked = 0;
  const show = async () => {
    const number = ++asked;
    const url = new URL(address);
    url.searchParams.set('q', dialog.querySelector('input').value);
    const response = await fetch(url).catch(() => undefined);
    // A later answer is shown already.
    if (number !== asked) return;
    if (!response?.ok) return location.assign(url);
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    dialog.querySelector('.results').replaceChildren(...page.getElementById('found').childNodes);
  };
  const build = () => {
    dialog = document.createElement('dialog');
    dialog.className = 'palette';
    dialog.setAttribute('aria-label', 'Search');
    dialog.innerHTML =
      '<form><input type="search" aria-label="Search jobs, projects and pages" placeholder="Search jobs, projects and pages" autocomplete="off"></form><div class="results"></div>';
    document.body.append(dialog);
    dialog.addEventListener('input', () => {
      clearTimeout(timer);
      timer = setTimeout(show, pauseMs);
    });
    dialog.addEventListener('submit', (event) => {
      event.preventDefault();
      clearTimeout(timer);
      void show().then(() => dialog.querySelector('.results a')?.click());
    });
    dialog.addEventListener('keydown', move);
    dialog.addEventListener('click', ({ target }) => target === dialog && dialog.close());
  };
  const move = (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const places = [dialog.querySelector('input'), ...dialog.querySelectorAll('.results a')];
    places[(places.indexOf(document.activeElement) + step + places.length) % places.length].focus();
  };
  return () => {
    if (!dialog) build();
    dialog.showModal();
    dialog.querySelector('input').select();
    void show();
  };
}
