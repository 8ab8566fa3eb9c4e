/**
 * Returns an error message that contains no data of requests. Messages of databases, parsers and the file system may
 * contain such data (`dup key: { email: "…" }`). For these errors, only the code is returned, if there is one. Messages
 * of JavaScript's own errors, such as a `TypeError`, are returned without quoted strings and long numbers. The log has
 * the complete message.
 */
export function safeMessage(error: Error): string {
  const codes = codesOf(error)
  if (codes.length > 0) return codes.join(' ')
  if (!describesCode.has(error.name)) return 'Its message is in the log'
  return error.message.slice(0, maxLength).replaceAll(texts, quote)
}

/** Returns an error's code and the name of the code or system call, such as `11000 DuplicateKey` or `ENOENT open`. */
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

/**
 * Matches quoted strings and long numbers. `(reading 'title')` and `(setting 'title')` are kept, because they name a
 * member of an object in the program.
 */
const texts = /(?<named>\((?:reading|setting) )?(?<text>'[^']*'?|"[^"]*"?|`[^`]*`?)|\d{4,}/g

const quote = (whole: string, named: string | undefined): string =>
  named !== undefined && /'[\w$]{1,64}'$/.test(whole) ? whole : `${named ?? ''}…`
