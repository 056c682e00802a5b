import { type Html, html } from '../../../pages/html.ts';

export const renderCounts = ({ additions, deletions }: { additions: number; deletions: number }): Html =>
  html`<span class="counts"><span class="plus"><span class="sr">Added lines: </span>+${additions}</span> <span class="minus"><span class="sr">removed lines: </span>−${deletions}</span></span>`;
