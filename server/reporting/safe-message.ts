/**
 * Returns the message of an error for reports. Messages of databases, parsers and files may contain data of requests
 * (`dup key: { email: "…" }`). Of such errors, only the code is reported, if there is one. Errors of JavaScript itself
 * describe the program, so they are reported, but without the texts in them. The log has the complete message.
 */
export function safeMessage(error: Error): string {
  const codes = codesOf(error)
  if (codes.length > 0) return codes.join(' ')
  if (!describesCode.has(error.name)) return 'Its message is in the log'
  return error.message.slice(0, maxLength).replaceAll(texts, quote)
}

/** Returns `11000 DuplicateKey`, or `ENOENT open`. */
function codesOf(error: Error): readonly string[] {
  const { code, codeName, syscall } = error as Readonly<Record<string, unknown>> & Error
  return [code, codeName, syscall].flatMap((one) =>
    (typeof one === 'string' && /^\w{1,64}$/.test(one)) || typeof one === 'number'
      ? [String(one)]
      : [],
  )
}

const describesCode: ReadonlySet<string> = new Set(['TypeError', 'RangeError', 'ReferenceError'])

const maxLength = 300

/** `(reading 'title')` and `(setting 'title')` name a member of our own objects. */
const texts = /(?<named>\((?:reading|setting) )?(?<text>'[^']*'?|"[^"]*"?|`[^`]*`?)|\d{4,}/g

const quote = (whole: string, named: string | undefined): string =>
  named !== undefined && /'[\w$]{1,64}'$/.test(whole) ? whole : `${named ?? ''}…`
