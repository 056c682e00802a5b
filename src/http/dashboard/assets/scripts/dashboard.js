// Everything works without these scripts. With them, pages follow what happens, and ask before what cannot be undone.
import { keepViewed, offerComments, offerKeys, showViewed } from './changes.js';
import { follow, seeLate } from './follow.js';
import { closeMenus, guardForms, keepDrafts, offerBranches, offerHelp } from './forms.js';
import { offerNews, showNewsOffer } from './notify.js';
import { offerPalette } from './palette.js';
import { keepTimes } from './times.js';
import { followPermalinks, followViews } from './views.js';

guardForms();
keepDrafts();
offerHelp();
offerBranches();
closeMenus();
offerPalette();
offerNews();
showNewsOffer();
keepTimes();
offerComments();
offerKeys();
keepViewed();
showViewed();
const reopen = document.querySelector('[data-events]') ? follow() : () => {};
followViews(reopen);
followPermalinks();
seeLate();
