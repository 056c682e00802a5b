import { type Html, html } from '../../../pages/html.ts';

/** Decides about an item of a list how it is sent: whole, or as the mark that it has not changed. */
export type SendItem = (id: string, whole: Html) => Html;

export const sendWhole: SendItem = (_id, whole) => whole;

/** Remembers what a reader has, and leaves it out. */
export function createSender(): SendItem {
  const sent = new Map<string, string>();
  return (id, whole) => {
    const text = whole.html.replaceAll(timeText, '$1');
    if (sent.get(id) === text) return html`<li id="${id}" data-same></li>`;
    sent.set(id, text);
    return whole;
  };
}

/** The script of the page lets times run. */
const timeText = /(<time [^<>]*>)[^<]*/g;
