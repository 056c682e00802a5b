const units = [
  ['year', 365 * 24 * 3600],
  ['month', 30 * 24 * 3600],
  ['day', 24 * 3600],
  ['hour', 3600],
  ['minute', 60],
];
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** As the server says it, but it stays true, and the exact time is in the reader's zone. */
export function showTimes(root) {
  for (const time of root.querySelectorAll('time[datetime]')) {
    const moment = new Date(time.dateTime);
    if (Number.isNaN(moment.getTime())) continue;
    time.title = moment.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
    const text = time.classList.contains('elapsed') ? formatElapsed(moment) : formatRelative(moment);
    if (time.textContent !== text) time.textContent = text;
  }
}

function formatRelative(moment) {
  const seconds = Math.round((moment.getTime() - Date.now()) / 1_000);
  const [unit, length] = units.find(([, unitSeconds]) => Math.abs(seconds) >= unitSeconds) ?? [];
  const now = seconds > 0 ? 'in a moment' : 'just now';
  return unit ? relative.format(Math.round(seconds / length), unit) : now;
}

/** `1 m 12 s`. */
function formatElapsed(since) {
  const seconds = Math.max(0, Math.round((Date.now() - since.getTime()) / 1_000));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  if (hours > 0) return `${hours} h ${minutes} m`;
  return minutes > 0 ? `${minutes} m ${seconds % 60} s` : `${seconds} s`;
}

const tickMs = 1_000;

export function keepTimes() {
  showTimes(document);
  setInterval(() => document.hidden || showTimes(document), tickMs);
}
