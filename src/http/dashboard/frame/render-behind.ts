import { type Html, html } from '../../pages/html.ts';
import { icon } from './icon.ts';

/** The script shows it while the page is not connected. */
export const renderBehind = (): Html =>
  html`<div class="behind" role="status"><div class="notice marked" hidden>${icon('alert')}<p>The connection is lost. This page may be out of date; it reconnects by itself.</p></div></div>`;
