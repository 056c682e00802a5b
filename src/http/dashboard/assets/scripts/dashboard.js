// Everything works without these scripts. With them, pages follow what happens, and ask before what cannot be undone.
import { keepViewed, offerComments, showViewed } from './changes.js';
import { follow, seeLate } from './follow.js';
import { guardForms, keepDrafts, offerHelp } from './forms.js';
import { keepTimes } from './times.js';
import { followViews } from './views.js';

guardForms();
keepDrafts();
offerHelp();
keepTimes();
offerComments();
keepViewed();
showViewed();
const reopen = document.querySelector('[data-events]') ? follow() : () => {};
followViews(reopen);
seeLate();
