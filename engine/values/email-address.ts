/**
 * E-mail addresses as HTML forms accept them, but with a dot in the domain: mail is rarely meant for a domain without
 * one, such as `localhost`.
 */
export const emailAddress =
  /^[\w.!#$%&'*+/=?^`{|}~-]+@(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/i

/**
 * Options for yup: `string().matches(emailAddress, emailRule)`. The empty string is accepted here; `required` rejects
 * it.
 */
export const emailRule = {
  name: 'email',
  message: '${path} must be a valid email',
  excludeEmptyString: true,
} as const
