/** An error response of github.com. A route throws it; the API sends it unchanged. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly errors: ValidationError[] | undefined;
  readonly headers: Record<string, string>;

  constructor(
    status: number,
    message: string,
    extra: { errors?: ValidationError[]; headers?: Record<string, string> } = {},
  ) {
    super(message);
    this.status = status;
    this.errors = extra.errors;
    this.headers = extra.headers ?? {};
  }
}

export interface ValidationError {
  resource: string;
  code: string;
  field?: string;
  message?: string;
}

export const notFound = (): ApiError => new ApiError(404, 'Not Found');

/** https://docs.github.com/en/rest/using-the-rest-api/troubleshooting-the-rest-api#validation-failed */
export const validationFailed = (...errors: ValidationError[]): ApiError =>
  new ApiError(422, 'Validation Failed', { errors });
