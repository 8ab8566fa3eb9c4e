/**
 * Returns an error message without data of requests. Messages of databases, parsers and the file system (`dup key: {
 * email: "…" }`) are reduced to the code; those of JavaScript itself lose quoted strings and long numbers.
 */
export function safeMessage(error: Error): string {
  const codes = codesOf(error)
  if (codes.length > 0) return codes.join(' ')
  if (!describesCode.has(error.name)) return 'Its message is in the log'
  return error.message.slice(0, maxLength).replaceAll(texts, quote)
}

/** Returns codes and names such as `11000 DuplicateKey` or `ENOENT open`. */
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

/** Quoted strings and long numbers, but not `(reading 'title')` and `(setting 'title')`, which name a member. */
const texts = /(?<named>\((?:reading|setting) )?(?<text>'[^']*'?|"[^"]*"?|`[^`]*`?)|\d{4,}/g

const quote = (whole: string, named: string | undefined): string =>
  named !== undefined && /'[\w$]{1,64}'$/.test(whole) ? whole : `${named ?? ''}…`
