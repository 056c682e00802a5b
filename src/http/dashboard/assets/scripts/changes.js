/** What a page of changes offers beside reading: comments on lines, files that are marked as viewed. */
export function offerComments() {
  document.addEventListener('click', (event) => {
    const button = event.target.closest?.('button[data-comment]');
    if (button) return comment(button.dataset.comment);
    const line = event.target.closest?.('.line');
    if (!line || !isOnNumber(event, line)) return;
    comment(line.closest('.file').querySelector('[data-comment]').dataset.comment, nameLine(line));
  });
}

/** In the lines of a file, arrows choose one, and C comments on it. */
export function offerKeys() {
  document.addEventListener('keydown', (event) => {
    const { target, key } = event;
    if (!target.classList?.contains('lines') || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[key];
    const lines = [...target.querySelectorAll('.line')];
    const place = lines.findIndex((line) => line.classList.contains('at'));
    if (step) {
      event.preventDefault();
      const next = lines[Math.max(0, Math.min(lines.length - 1, place + step))];
      lines[place]?.classList.remove('at');
      next.classList.add('at');
      next.scrollIntoView({ block: 'nearest', inline: 'start' });
      document.getElementById('news').textContent = `${nameLine(next)}: ${next.querySelector('code').textContent}`;
    } else if (key === 'c' && place >= 0) {
      event.preventDefault();
      comment(target.closest('.file').querySelector('[data-comment]').dataset.comment, nameLine(lines[place]));
    }
  });
}

const isOnNumber = ({ clientX }, line) => clientX < line.querySelector('code').getBoundingClientRect().left;

const nameLine = ({ dataset: { a, b } }) => (a ? `line ${a}` : `line ${b} of the version before`);

/** A comment is a follow-up that names its place. */
function comment(path, line) {
  const field = document.querySelector('.follow-up textarea');
  if (!field) return;
  const place = line ? `In ${path}, ${line}: ` : `In ${path}: `;
  field.value = field.value.trim() === '' ? place : `${field.value.trimEnd()}\n\n${place}`;
  field.focus();
  field.setSelectionRange(field.value.length, field.value.length);
  field.scrollTop = field.scrollHeight;
}

const keyOf = (box) => `viewed ${location.pathname} ${box.dataset.viewed}`;
/** A file that changed since is not viewed. */
const versionOf = (box) => box.closest('.file').querySelector('.lines')?.textContent.length.toString() ?? '0';

/** Shows what only works with scripts; called again when the page has changed. */
export function showViewed() {
  for (const button of document.querySelectorAll('button[data-comment]'))
    button.hidden = !document.querySelector('.follow-up textarea');
  for (const hint of document.querySelectorAll('[data-keys]'))
    hint.hidden = !document.querySelector('.follow-up textarea');
  for (const box of document.querySelectorAll('input[data-viewed]')) {
    box.closest('label').hidden = false;
    box.checked = localStorage.getItem(keyOf(box)) === versionOf(box);
    box.closest('.file').classList.toggle('is-viewed', box.checked);
  }
}

export function keepViewed() {
  document.addEventListener('change', ({ target }) => {
    if (target.dataset?.viewed === undefined) return;
    if (target.checked) localStorage.setItem(keyOf(target), versionOf(target));
    else localStorage.removeItem(keyOf(target));
    const file = target.closest('.file');
    file.classList.toggle('is-viewed', target.checked);
    file.querySelector('details').open = !target.checked;
  });
}
