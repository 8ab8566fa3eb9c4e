import type { Attribute } from './attribute.js'
import type { ContentType, Structure } from './content-type.js'
import { builtIn } from './registry.js'

export const isType = (of: Structure): of is ContentType => 'kind' in of

const isShown = (of: ContentType, name: string): boolean => of.hidden?.has(name) !== true

/** Whether `localizations` shows an entry's versions in other locales. */
export const showsLocalizations = (of: Structure): of is ContentType =>
  isType(of) && of.localized && isShown(of, 'localizations')

/** Returns which of `createdBy` and `updatedBy` are shown. */
export const creatorsShown = (of: Structure): readonly string[] =>
  isType(of) && of.populateCreatorFields
    ? ['createdBy', 'updatedBy'].filter((name) => isShown(of, name))
    : []

/** Nobody sees the users of a role (docs/internals/decisions.md, "Users"). */
export const isHiddenRelation = ({ uid }: Structure, { name }: Attribute): boolean =>
  uid === builtIn.role && name === 'users'
