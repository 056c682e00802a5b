// Everything works without these scripts. With them, pages follow what happens, and ask before what cannot be undone.
import { follow } from './follow.js';
import { guardForms, keepDrafts, offerHelp } from './forms.js';
import { keepTimes } from './times.js';
import { followViews } from './views.js';

guardForms();
keepDrafts();
offerHelp();
keepTimes();
const reopen = document.querySelector('[data-events]') ? follow() : () => {};
followViews(reopen);
