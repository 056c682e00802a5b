import { type Html, html } from '../../pages/html.ts';

/** Shows what a person typed into the form at `address`, on the page that replaces it. The script restores it in that form. */
export const renderTyped = (typed: string, address: string): Html | false =>
  typed !== '' &&
  html`<div class="field"><label for="typed">What you typed</label>
<textarea id="typed" rows="4" readonly data-draft="${address}" aria-describedby="typed-hint">
${typed}</textarea>
<p class="hint" id="typed-hint">Copy it, in case its form is empty when you come back.</p></div>`;
