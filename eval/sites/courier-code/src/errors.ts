export const errors = {
  not_found: 404,
  invalid_body: 400,
};
