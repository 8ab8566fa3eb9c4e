/** E-mail addresses as HTML forms accept them, but with a dot in the domain, unlike `localhost`. */
export const emailAddress =
  /^[\w.!#$%&'*+/=?^`{|}~-]+@(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/i

/** Options of yup's `matches(emailAddress, emailRule)`. Accepts the empty string, which `required` rejects. */
export const emailRule = {
  name: 'email',
  message: '${path} must be a valid email',
  excludeEmptyString: true,
} as const
