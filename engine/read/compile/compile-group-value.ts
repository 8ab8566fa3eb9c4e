import type { Document } from 'mongodb'
import type { FieldForm, GroupKeyPlan } from '../plan/read-plan.js'

type Valued = Pick<GroupKeyPlan, 'form' | 'unit'>

/**
 * Expression: the value of an attribute as entries show it. It is null if nothing is stored, or if the stored value has
 * another type because the definition has changed. With a unit, a date becomes the beginning of that unit.
 * @param at expression of the stored value
 */
export function compileGroupValue({ form, unit }: Valued, at: string): Document {
  const value = unit === undefined ? at : compileBeginning(form, unit, at)
  return { $cond: [isOfForm(form, at), value, null] }
}

const bsonTypes: Readonly<Partial<Record<FieldForm, string>>> = {
  text: 'string',
  boolean: 'bool',
  date: 'date',
}

function isOfForm(form: FieldForm, at: string): Document {
  const type = bsonTypes[form]
  return type === undefined ? { $isNumber: at } : { $eq: [{ $type: at }, type] }
}

/** Dates without a time are stored and shown as text (docs/storage.md, "An entry version"). */
function compileBeginning(form: FieldForm, unit: string, at: string): Document {
  const begin = (date: unknown): Document => ({
    $dateTrunc: { date, unit, startOfWeek: 'monday' },
  })
  if (form === 'date') return begin(at)
  const format = '%Y-%m-%d'
  const date = { $dateFromString: { dateString: at, format, onError: null, onNull: null } }
  return { $dateToString: { date: begin(date), format } }
}
