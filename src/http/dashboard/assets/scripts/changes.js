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
