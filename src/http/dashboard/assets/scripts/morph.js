import { showViewed } from './changes.js';
import { Idiomorph } from './idiomorph.js';
import { showNewsOffer } from './notify.js';
import { showTimes } from './times.js';

/**
 * Makes the elements with `data-live` those of a newer version. What a person typed, selected, opened, focused or scrolled to
 * stays: an element that has not changed is not touched. Returns false if the version leaves out what this page does not have.
 */
export function update(fresh) {
  const restorePlaces = findPlaces();
  for (const region of fresh.querySelectorAll('[data-live]')) {
    const shown = document.getElementById(region.id);
    if (!shown) continue;
    showTimes(region);
    Idiomorph.morph(shown, region, { ignoreActiveValue: true, callbacks });
  }
  restorePlaces();
  showViewed();
  showNewsOffer();
  return document.querySelector('[data-same]') === null;
}

const callbacks = {
  /** The server leaves out what this page has already. */
  beforeNodeMorphed: (shown, fresh) =>
    fresh.nodeType !== Node.ELEMENT_NODE || !('same' in fresh.dataset || isTyped(shown, fresh)),
  /** Turns that a newer version leaves out stay: a person may read one. */
  beforeNodeRemoved: (node) => !(node.id && node.parentElement?.classList.contains('calls')),
  /** A person decides what is open. */
  beforeAttributeUpdated: (name, node) => !(name === 'open' && node.id && node.localName === 'details'),
};

const isTyped = (shown, { localName }) =>
  ['textarea', 'input'].includes(localName) && shown.localName === localName && shown.value !== shown.defaultValue;

/** Where each pane is scrolled to: the element that a person reads stays where it is. */
function findPlaces() {
  const places = [...document.querySelectorAll('.pane')].map((pane) => {
    const { top } = pane.getBoundingClientRect();
    const read = [...pane.querySelectorAll('[id]')].find((element) => element.getBoundingClientRect().top >= top);
    const before = read?.getBoundingClientRect().top;
    return () => {
      if (read?.isConnected && !isAtEnd(pane)) pane.scrollTop += read.getBoundingClientRect().top - before;
    };
  });
  return () => {
    for (const restore of places) restore();
  };
}

/** A conversation is laid out from its end: there its position is 0, and it follows what is new. */
const isAtEnd = (pane) => pane.classList.contains('from-end') && Math.abs(pane.scrollTop) < 4;
