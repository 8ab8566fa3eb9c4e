/* global document, fetch, location, SwaggerUIBundle, URL, URLSearchParams */

const address = '/documentation/openapi.json'
const [form, field, notice, place] = ['caller', 'token', 'notice', 'reference'].map((id) =>
  document.getElementById(id),
)

/** Kept in the page only, until it is closed. */
let token = ''
const credentials = () => (token === '' ? {} : { Authorization: `Bearer ${token}` })

/** Expands nested parameters: Swagger UI sends brackets for the first level and JSON for the rest. */
function withBrackets(address) {
  const url = new URL(address, location.origin)
  const query = new URLSearchParams()
  const add = (name, value) => {
    if (typeof value !== 'object' || value === null) return query.append(name, String(value))
    for (const [key, member] of Object.entries(value)) add(`${name}[${key}]`, member)
  }
  for (const [name, text] of url.searchParams)
    add(name, /^(filters|populate)\b/.test(name) ? parsed(text) : text)
  url.search = query.toString()
  return url.href
}

function parsed(text) {
  try {
    const value = JSON.parse(text)
    return typeof value === 'object' ? value : text
  } catch {
    return text
  }
}

/**
 * Prepares a document for Swagger UI, which follows references to their end and cannot handle cycles. In schemas that
 * others refer to, references to schemas without references stay; the others are replaced by their names.
 */
function drawable(text) {
  const shown = JSON.parse(text)
  const all = shown.components.schemas ?? {}
  const inner = new Set(Object.values(all).flatMap((schema) => [...namesIn(schema)]))
  const ends = new Set(Object.keys(all).filter((name) => namesIn(all[name]).size === 0))
  for (const name of inner)
    all[name] = JSON.parse(JSON.stringify(all[name]), (_key, value) => {
      const to = nameOf(value)
      return to === undefined || ends.has(to) ? value : { title: to, type: 'object' }
    })
  for (const parameter of Object.values(shown.components.parameters ?? {})) {
    if (parameter.name === 'populate')
      Object.assign(parameter, { style: 'form', schema: { type: 'string' } })
    // Otherwise Swagger UI would send a made-up example unless the user removes it.
    else if (parameter.style === 'deepObject') parameter.example = {}
  }
  return JSON.stringify(shown)
}

const nameOf = (value) => /^#\/components\/schemas\/(.*)/.exec(value?.$ref)?.[1]

function namesIn(schema) {
  const names = new Set()
  JSON.stringify(schema, (_key, value) => {
    const name = nameOf(value)
    if (name !== undefined) names.add(name)
    return value
  })
  return names
}

let reference
async function show() {
  const response = await fetch(address, { headers: credentials() })
  const text = await response.text()
  notice.textContent = response.ok ? '' : whyNot(response.status, text)
  place.hidden = !response.ok
  if (!response.ok) return
  const spec = drawable(text)
  if (reference !== undefined) return reference.specActions.updateSpec(spec)
  const nothing = () => () => null
  reference = SwaggerUIBundle({
    spec: JSON.parse(spec),
    domNode: place,
    deepLinking: true,
    docExpansion: 'none',
    defaultModelsExpandDepth: 0,
    tryItOutEnabled: true,
    validatorUrl: null,
    requestInterceptor: (request) => {
      Object.assign(request.headers, credentials())
      request.url = withBrackets(request.url)
      return request
    },
    // The form above asks for the token.
    plugins: [{ wrapComponents: { authorizeBtn: nothing, authorizeOperationBtn: nothing } }],
  })
}

function whyNot(status, text) {
  const { message } = parsed(text).error ?? {}
  return `${status}: ${message ?? 'there is no document'}. Enter a token, or change the setting documentation.access.`
}

const tell = (error) => {
  notice.textContent = String(error)
}
form.addEventListener('submit', (event) => {
  event.preventDefault()
  token = field.value.trim()
  show().catch(tell)
})
show().catch(tell)
