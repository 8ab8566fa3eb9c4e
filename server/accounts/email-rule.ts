import { string } from 'yup'
import { emailAddress, emailRule as message } from '../../engine/values/email-address.js'

/** Rule for e-mail addresses in bodies. */
export const emailRule = string().matches(emailAddress, message)
