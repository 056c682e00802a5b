import { type Html, html } from '../../pages/html.ts';

const units = [
  ['year', 365 * 24 * 3600],
  ['month', 30 * 24 * 3600],
  ['day', 24 * 3600],
  ['hour', 3600],
  ['minute', 60],
] as const;
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** To the second. */
export const formatUtc = (moment: Date): string => `${moment.toISOString().replace('T', ' ').slice(0, 19)} UTC`;

/** `3 minutes ago`, with the exact time in UTC; the script of the dashboard shows it in the reader's zone. */
export function renderTime(moment: Date, now = new Date()): Html {
  const iso = moment.toISOString();
  return html`<time datetime="${iso}" title="${formatUtc(moment)}">${formatRelative(moment, now)}</time>`;
}

export function formatRelative(moment: Date, now: Date): string {
  const seconds = Math.round((moment.getTime() - now.getTime()) / 1_000);
  const [unit, length] = units.find(([, unitSeconds]) => Math.abs(seconds) >= unitSeconds) ?? [];
  return unit ? relative.format(Math.round(seconds / length), unit) : seconds > 0 ? 'in a moment' : 'just now';
}

/** `1 m 12 s`. */
export function formatElapsed(elapsedMs: number): string {
  const seconds = Math.max(0, Math.round(elapsedMs / 1_000));
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  if (hours > 0) return `${hours} h ${minutes} m`;
  return minutes > 0 ? `${minutes} m ${seconds % 60} s` : `${seconds} s`;
}

/** The time since a moment; the script of the dashboard lets it run. */
export const renderElapsed = (since: Date, now = new Date()): Html =>
  html`<time class="elapsed" datetime="${since.toISOString()}">${formatElapsed(now.getTime() - since.getTime())}</time>`;
