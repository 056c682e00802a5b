const doubleClickMs = 2_000;

export function guardForms() {
  document.addEventListener('submit', (event) => {
    const { target: form, submitter } = event;
    const { dataset } = form;
    const isTwice = event.timeStamp - Number(dataset.sent ?? -doubleClickMs) < doubleClickMs;
    if (isTwice) return event.preventDefault();
    if (dataset.confirm && dataset.confirmed === undefined) {
      event.preventDefault();
      return ask(form, submitter);
    }
    delete dataset.confirmed;
    dataset.sent = event.timeStamp;
  });
  document.addEventListener('keydown', (event) => {
    const { form } = event.target;
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || !form) return;
    event.preventDefault();
    form.requestSubmit();
  });
}

/** Asks before what cannot be undone; the buttons are named after what they do. */
function ask(form, submitter) {
  const dialog = document.createElement('dialog');
  dialog.className = 'question';
  const text = Object.assign(document.createElement('p'), { id: 'question', textContent: form.dataset.confirm });
  dialog.setAttribute('aria-labelledby', 'question');
  const button = (name, look, answer) => {
    const made = Object.assign(document.createElement('button'), {
      type: 'button',
      className: look,
      textContent: name,
    });
    made.addEventListener('click', () => dialog.close(answer));
    return made;
  };
  const buttons = document.createElement('div');
  buttons.className = 'actions';
  buttons.append(
    button('Back', 'quiet', ''),
    button(form.dataset.verb ?? submitter.textContent.trim(), 'danger', 'yes'),
  );
  dialog.append(text, buttons);
  dialog.addEventListener('close', () => {
    dialog.remove();
    if (dialog.returnValue !== 'yes') return;
    form.dataset.confirmed = '';
    form.requestSubmit(submitter);
  });
  document.body.append(dialog);
  dialog.showModal();
}

/** Menus close as people expect: by Escape, and by a click beside them. */
export function closeMenus() {
  const close = (except) => {
    for (const menu of document.querySelectorAll('details.menu[open]')) if (menu !== except) menu.open = false;
  };
  document.addEventListener('click', ({ target }) => close(target.closest?.('details.menu')));
  document.addEventListener('keydown', ({ key, target }) => {
    const menu = target.closest?.('details.menu[open]');
    if (key !== 'Escape' || !menu) return;
    menu.open = false;
    menu.querySelector('summary').focus();
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

/** The branches of a repository, when a person is about to choose one. */
export function offerBranches() {
  document.addEventListener('focusin', async ({ target }) => {
    const { options } = target.dataset ?? {};
    if (options === undefined) return;
    delete target.dataset.options;
    const response = await fetch(options).catch(console.warn);
    if (!response?.ok) return;
    const names = await response.json();
    target.list.replaceChildren(
      ...names.map((name) => Object.assign(document.createElement('option'), { value: name })),
    );
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
