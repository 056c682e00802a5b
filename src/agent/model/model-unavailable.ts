/**
 * The model server gave no usable answer, however often it was asked: it may be down. Nothing is wrong with the run, which is tried again
 * later. `detail` says in a few words what went wrong last, for people.
 */
export class ModelUnavailable extends Error {
  override readonly name = 'ModelUnavailable';
  readonly detail: string;

  constructor(detail: string, options?: ErrorOptions) {
    super(`could not get a usable answer of the model server: ${detail}`, options);
    this.detail = detail;
  }
}
