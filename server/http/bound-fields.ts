import type { Writable } from 'node:stream'
import { fail } from '../../engine/errors.js'

/**
 * Bounds the text fields of a form together, names included, by `limit` bytes: each by itself would let a hundred
 * times as much into memory. `form` is what takes the form apart (busboy); it ends with a 413 where there is more, of
 * which `exceeded` is told.
 */
export function boundFields(form: Writable, limit: number, exceeded: (error: Error) => void): void {
  let bytes = 0
  form.on('field', (name: string | undefined, value: string) => {
    bytes += Buffer.byteLength(name ?? '') + Buffer.byteLength(value)
    if (bytes <= limit) return
    const error = fail('payload-too-large', { bound: 'http.bodyLimit' })
    exceeded(error)
    form.destroy(error)
  })
}
