import type { RelationAttribute } from './attribute.js'
import type { ContentType } from './content-type.js'
import { isFile, related } from './file-uses.js'
import { didYouMean } from '../errors/nearest-name.js'

/**
 * What is wrong with the attribute that the other side of a polymorphic relation says it is stored in. `isTolerated`:
 * a Strapi starts with it, and shows nothing there.
 */
export function morphByFault(
  { counterpart = '' }: RelationAttribute,
  target: ContentType,
): Readonly<{ isTolerated: boolean; message: string }> | undefined {
  const far = target.attributes.get(counterpart)
  if (far?.type === 'morph') return undefined
  const place = `"${counterpart}" of ${target.uid}`
  if (isFile(target) && counterpart === related.name)
    return {
      isTolerated: true,
      message: 'files do not store where they are used: an attribute of type media refers to them',
    }
  if (far !== undefined)
    return { isTolerated: true, message: `${place} is neither morphToOne nor morphToMany` }
  const owning = [...target.attributes.values()].filter(({ type }) => type === 'morph')
  const known = owning.map(({ name }) => name)
  const message = `there is no attribute ${place}${didYouMean(counterpart, known)}`
  return { isTolerated: false, message }
}
