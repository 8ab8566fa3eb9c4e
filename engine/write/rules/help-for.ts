import type { ValidationError } from 'yup'
import { nearestName } from '../../errors/nearest-name.js'
import type { Help } from '../body/failure.js'

/** Returns what the violated rule expects, and what the client probably meant. */
export function helpFor({ type, params = {}, value }: ValidationError): Help | undefined {
  switch (type) {
    case 'oneOf': {
      const known = (params['resolved'] as readonly unknown[]).filter(
        (one) => typeof one === 'string',
      )
      return { expected: `one of: ${known.join(', ')}`, ...suggested(value, known) }
    }
    case 'typeError':
      return { expected: `a value of type ${String(params['type'])}`, ...suggested(value) }
    case 'form':
      return { expected: String(params['expected']), ...suggested(value) }
    case 'nullable':
    case 'optionality':
      return { expected: 'a value', suggestion: 'Send a value: it is required' }
    case 'min':
    case 'max':
      return boundOf(type, params[type], value)
    default:
      return undefined
  }
}

function suggested(value: unknown, known: readonly string[] = []): Help {
  if (value === '') return { suggestion: 'For no value, send null' }
  const suggestion = typeof value === 'string' ? nearestName(value, known) : undefined
  return suggestion === undefined ? {} : { suggestion }
}

function boundOf(rule: 'min' | 'max', limit: unknown, value: unknown): Help | undefined {
  if (typeof limit !== 'number') return undefined
  return { bound: typeof value === 'string' ? `${rule}Length` : rule, limit }
}
