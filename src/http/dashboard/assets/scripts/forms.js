const doubleClickMs = 2_000;

export function guardForms() {
  document.addEventListener('submit', (event) => {
    const { dataset } = event.target;
    const isTwice = event.timeStamp - Number(dataset.sent ?? -doubleClickMs) < doubleClickMs;
    if (isTwice || (dataset.confirm && !window.confirm(dataset.confirm))) return event.preventDefault();
    dataset.sent = event.timeStamp;
  });
  document.addEventListener('keydown', (event) => {
    const { form } = event.target;
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || !form) return;
    event.preventDefault();
    form.requestSubmit();
  });
}

/** This tab keeps what was typed and not sent: through a reload, and while the person signs in again. */
export function keepDrafts() {
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
}

export function offerHelp() {
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
}
