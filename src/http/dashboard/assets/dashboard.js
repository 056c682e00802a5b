// Everything works without this script. It asks before what cannot be undone, and shows times in the reader's zone.

const showTimes = (root) => {
  for (const time of root.querySelectorAll('time[datetime]')) {
    const moment = new Date(time.dateTime);
    if (!Number.isNaN(moment.getTime()))
      time.title = moment.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
  }
};

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
