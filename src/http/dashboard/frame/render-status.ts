import type { JobStatus } from '../../../store/tables/columns.ts';
import { type Html, html } from '../../pages/html.ts';

/** One word alone in its element: programs look for it. */
export const renderStatus = (status: JobStatus): Html => html`<span class="status status-${status}">${status}</span>`;
