/** Prints a line. `wrong` undefined: all is well. */
export type Report = (what: string, wrong: string | undefined) => void;
