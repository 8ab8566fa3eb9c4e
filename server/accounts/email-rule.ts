import { string } from 'yup'
import { emailAddress, emailRule as message } from '../../engine/values/email-address.js'

/** What an address in a body must be. */
export const emailRule = string().matches(emailAddress, message)
