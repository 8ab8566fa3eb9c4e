import type { ContentType, Status } from '../../schema/content-type.js'
import type { Locales } from './locale.js'
import { resolveWriteLocale } from './locale.js'
import { saidBy } from './said-by.js'

/** Members of a body next to its `data` that parameters decide. */
export type Beside = Readonly<{ status?: unknown; locale?: unknown }>

type Asked = Readonly<{ status: Status; locale?: string | undefined }>
type Context = Locales & Readonly<{ ignored?: ((path: string) => void) | undefined }>

/**
 * `{ "data": { … }, "status": "draft" }`: accepted if the parameters have the same values. Other values are never
 * silently dropped (docs/decisions.md, "Sending back what was read").
 * @throws 400 that names the parameter, unless such keys are ignored
 */
export function checkBeside(
  beside: Beside,
  asked: Asked,
  type: ContentType,
  { ignored, ...locales }: Context,
): void {
  const { status, locale } = beside
  const isWritten = (): boolean => locale === resolveWriteLocale(type, asked.locale, locales)
  const otherwise = {
    status: status !== undefined && status !== asked.status,
    locale: locale !== undefined && type.localized && !isWritten(),
  }
  for (const key of ['status', 'locale'] as const) {
    if (!otherwise[key]) continue
    if (ignored === undefined) throw saidBy(key)
    ignored(key)
  }
}
