import { type Html, html } from '../../pages/html.ts';

/** The first letter of a name: pages load no picture from GitHub. */
export const renderAvatar = (name: string): Html =>
  html`<span class="avatar" aria-hidden="true">${[...name][0] ?? ''}</span>`;
