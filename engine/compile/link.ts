import type { Document } from 'mongodb'
import type { Link, LocaleRule } from '../plan/read-plan.js'

/** `holders`: the locales of the holders; null where they are not known yet. */
export function compileLocale(rule: LocaleRule, holders: readonly string[] | null): Document {
  switch (rule.kind) {
    case 'none':
      return {}
    case 'fixed':
      return { locale: rule.code }
    case 'any':
    case 'other':
      return { locale: { $in: rule.among } }
    case 'same':
      if (holders === null) return {}
      return { locale: holders.length === 1 ? holders[0] : { $in: holders } }
  }
}

/** Whether holders of different locales see different targets. */
export function dependsOnHolder({ locale }: Link): boolean {
  return locale.kind === 'same' || locale.kind === 'other'
}

/**
 * A `$lookup` of the targets of the document at hand, each of which `pipeline` goes on with. `within` is the
 * path of the components that hold the reference, with a final dot, or empty.
 */
export function compileLookup(link: Link, pipeline: Document[], as: string, within = ''): Document {
  const [localField, foreignField] =
    link.stored === 'here'
      ? [`${within}${link.path}.documentId`, 'documentId']
      : ['documentId', link.stored === 'there' ? `${link.path}.documentId` : 'documentId']
  return {
    $lookup: {
      from: link.collection,
      localField,
      foreignField,
      ...(dependsOnHolder(link) ? { let: { locale: '$locale' } } : {}),
      pipeline: [...seenFrom(link.locale), ...pipeline],
      as,
    },
  }
}

/** Keeps the targets that the holder's locale, `$$locale`, sees. */
function seenFrom(rule: LocaleRule): Document[] {
  switch (rule.kind) {
    case 'none':
      return []
    case 'fixed':
      return [{ $match: { locale: rule.code } }]
    case 'any':
      return [{ $match: { locale: { $in: rule.among } } }]
    case 'same':
      return [{ $match: { $expr: { $eq: ['$locale', '$$locale'] } } }]
    case 'other':
      return [{ $match: { locale: { $in: rule.among }, $expr: { $ne: ['$locale', '$$locale'] } } }]
  }
}
