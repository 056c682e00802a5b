import { type Html, html } from '../../pages/html.ts';
import { icon } from './icon.ts';

/** The script shows it while a page cannot follow what happens. */
export const renderBehind = (): Html =>
  html`<div class="behind" role="status"><div class="notice marked" hidden>${icon('alert')}<p>The connection is lost. This page shows what was known before; it goes on by itself.</p></div></div>`;
