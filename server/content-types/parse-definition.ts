import type { Definition } from '../../engine/schema/content-type.js'
import { isObject } from '../../engine/values/is-object.js'

export type ParsedDefinition = Readonly<{ definition: Definition }> | Readonly<{ fault: string }>

/** The JSON of a definition file; a fault says where in the file the JSON is broken. */
export function parseDefinition(text: string): ParsedDefinition {
  const json = text.startsWith('\uFEFF') ? text.slice(1) : text
  try {
    const definition: unknown = JSON.parse(json)
    return isObject(definition) ? { definition } : { fault: 'must hold a JSON object' }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return { fault: `is not JSON: ${placed(message, json)}` }
  }
}

/** V8 tells an offset, if anything; people look for lines. Without one, the text ended too early. */
function placed(message: string, json: string): string {
  const offset = /at position (\d+)/.exec(message)?.[1]
  const before = json.slice(0, offset === undefined ? json.length : Number(offset))
  const line = before.split('\n').length
  const column = before.length - before.lastIndexOf('\n')
  return `${message.replace(/ \(line \d+ column \d+\)$/, '')} (line ${line}, column ${column})`
}
