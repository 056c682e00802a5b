import { type Html, html } from '../../pages/html.ts';

/** A button that copies `text`. Without the script, it is hidden. */
export const renderCopy = (text: string): Html =>
  html`<button type="button" class="quiet" hidden data-copy="${text}">Copy</button>`;
