/** For the model, if the documentation could not be read in time; the log has the reason. `other`: a tool that works. */
export const describeUnread = (other: string): string =>
  `the documentation sites of this repository could not be read; use ${other} instead`;
