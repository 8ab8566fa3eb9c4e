/* global document, fetch, location, SwaggerUIBundle, URL, URLSearchParams */

const address = '/documentation/openapi.json'
const [form, field, notice, place] = ['caller', 'token', 'notice', 'reference'].map((id) =>
  document.getElementById(id),
)

/** The reader's token. It is kept only in the memory of this page. */
let token = ''
const credentials = () => (token === '' ? {} : { Authorization: `Bearer ${token}` })

/**
 * Writes nested query parameters with brackets on all levels. Swagger UI writes only the first level with brackets, and
 * the rest as JSON.
 */
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
 * Prepares a document for Swagger UI, which follows all references and cannot handle cycles. In schemas that other
 * schemas refer to, keeps only references to schemas without references of their own. Replaces each other reference
 * with an empty object whose title is the schema's name.
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
    // Without an empty example, Swagger UI would send an invented one unless the user removes it.
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
    // Hide Swagger UI's own buttons for credentials, because the form above asks for the token.
    plugins: [{ wrapComponents: { authorizeBtn: nothing, authorizeOperationBtn: nothing } }],
  })
}

function whyNot(status, text) {
  const { message } = parsed(text).error ?? {}
  return `${status}: ${message ?? 'there is no document'}. The setting documentation.access decides who can read it without a token.`
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
