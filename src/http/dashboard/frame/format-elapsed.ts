import { type Html, html } from '../../pages/html.ts';

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
