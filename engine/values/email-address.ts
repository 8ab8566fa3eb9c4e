/**
 * An e-mail address as HTML's forms take it, with a domain that has a dot: to a name without one, such as
 * `localhost`, mail is rarely meant to go.
 */
export const emailAddress =
  /^[\w.!#$%&'*+/=?^`{|}~-]+@(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/i

/** How a rule of yup's uses it: `string().matches(emailAddress, emailRule)`; `required` is what refuses an empty text. */
export const emailRule = {
  name: 'email',
  message: '${path} must be a valid email',
  excludeEmptyString: true,
} as const
