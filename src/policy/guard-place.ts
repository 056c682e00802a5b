import type { Guard } from './change.ts';
import type { Place } from './places/find-place.ts';

const advice = 'Leave it as it is; if it has to change, say so in your summary';

/** What may be written at all: pages, data of frameworks, and files that the settings open. */
export const createPlaceGuard =
  (findPlace: (path: string) => Place): Guard =>
  ({ path, before, after, base }) => {
    const place = findPlace(path);
    if (place.kind === 'protected') return `${path} is protected: ${place.reason}. ${advice}`;
    if (before?.isExecutable || after?.isExecutable) {
      return `${path} is protected: its mode makes it a program (100755). ${advice}`;
    }
    if (isScript(before?.text) || isScript(after?.text)) {
      return `${path} is protected: a first line that begins with #! makes it a program. ${advice}`;
    }
    if (after === null) return undefined;
    if (place.kind === 'media') {
      const isMoved = [...base.files.values()].some(({ sha }) => sha === after.sha);
      return isMoved
        ? undefined
        : `${path} is protected: you may move and delete images and other media, not write them. Say in your summary which file a person has to add`;
    }
    return after.text === null ? `${path} would not be UTF-8 text; leave it as it is` : undefined;
  };

const isScript = (text: string | null | undefined): boolean => /^\uFEFF?#!/.test(text ?? '');
