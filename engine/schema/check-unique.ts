import type { ContentType } from './content-type.js'
import { apiNameOf } from './content-type.js'
import type { Defined } from './define-all.js'

/**
 * Refuses two types with the same collection; of two with the same endpoint the first has it. The later one is told of
 * the earlier.
 */
export function checkUnique(types: readonly Defined<ContentType>[]): void {
  const byApiName = new Map<string, string>()
  const byCollection = new Map<string, string>()
  for (const { value: type, report } of types) {
    const apiName = apiNameOf(type)
    if (type.origin === 'api' && apiName !== '') {
      const other = takenBy(byApiName, apiName, type.uid)
      const key = type.kind === 'singleType' ? 'singularName' : 'pluralName'
      if (other !== undefined)
        report.warn(
          `info.${key}`,
          `"/api/${apiName}" is the endpoint of ${other}, so that this type has none: relations lead to it`,
        )
    }
    if (type.collectionName === '') continue
    const other = takenBy(byCollection, type.collectionName, type.uid)
    if (other !== undefined)
      report('collectionName', `"${type.collectionName}" is the collection of ${other}`)
  }
}

function takenBy(taken: Map<string, string>, name: string, uid: string): string | undefined {
  const other = taken.get(name)
  if (other === undefined) taken.set(name, uid)
  return other
}
