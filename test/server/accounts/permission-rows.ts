type Access =
  | 'anybody'
  | 'anyone'
  | 'admin'
  | 'full-access'
  | Readonly<{
      action: string
      /** Each of these actions also gives access. */
      wider?: readonly string[]
      readOnly?: true
    }>

export type Row = Readonly<{
  access: Access
  /**
   * Status for callers with access. Unless a row says otherwise, the requested entries do not exist and bodies are
   * invalid.
   */
  status: number
  /** Default: the path of the endpoint, with `999999` for each parameter. */
  path?: string
  body?: unknown
  /** Statuses for callers who have access, but to whom the handler responds differently. */
  except?: Readonly<Partial<Record<'token' | 'public', number>>>
}>

const may = (action: string, status: number, more: Partial<Row> = {}): Row => ({
  access: { action },
  status,
  ...more,
})
const mayRead = (action: string, status: number, more: Partial<Row> = {}): Row => ({
  access: { action, readOnly: true },
  status,
  ...more,
})
const users = 'plugin::users-permissions'
const upload = 'plugin::upload.content-api'
const article = 'api::article.article'
const category = 'api::category.category'
const homepage = 'api::homepage.homepage'
let count = 0
const newCategory = () => ({ data: { name: `Category ${(count += 1)}` } })

const draftVerbs = ['publish', 'createDraft', 'updateDraft']
/** Returns the row of a bulk write. Permission for any of its operations gives access. */
const mayWrite = (uid: string, verb: string, more: readonly string[]): Row => ({
  access: {
    action: `${uid}.${verb}`,
    wider: ['create', 'update', 'delete', ...more].map((other) => `${uid}.${other}`),
  },
  status: 400,
})

/** Rows by method and path pattern of the endpoint. Endpoints of content are listed for three content-types. */
export const permissionRows: Readonly<Record<string, Row | (() => Row)>> = {
  'GET /': { access: 'anybody', status: 200 },
  'GET /_health': { access: 'anybody', status: 204 },
  'GET /_ready': { access: 'anybody', status: 200 },

  'GET /api/articles': mayRead(`${article}.find`, 200),
  'POST /api/articles': may(`${article}.create`, 400),
  'GET /api/articles/aggregate': mayRead(`${article}.find`, 200),
  'POST /api/articles/bulk': mayWrite(article, 'create', draftVerbs),
  'GET /api/articles/x': mayRead(`${article}.findOne`, 404),
  'PUT /api/articles/x': may(`${article}.update`, 404, { body: { data: {} } }),
  'DELETE /api/articles/x': may(`${article}.delete`, 204),
  'POST /api/articles/x/actions/publish': may(`${article}.publish`, 404),
  'POST /api/articles/x/actions/unpublish': may(`${article}.publish`, 404),
  'POST /api/articles/x/actions/discard-draft': may(`${article}.publish`, 404),
  'GET /api/categories': mayRead(`${category}.find`, 200),
  'POST /api/categories': () => may(`${category}.create`, 201, { body: newCategory() }),
  'GET /api/categories/aggregate': mayRead(`${category}.find`, 200),
  'POST /api/categories/bulk': mayWrite(category, 'create', []),
  'GET /api/categories/x': mayRead(`${category}.findOne`, 404),
  'PUT /api/categories/x': may(`${category}.update`, 404, { body: { data: {} } }),
  'DELETE /api/categories/x': may(`${category}.delete`, 204),
  'GET /api/homepage': mayRead(`${homepage}.find`, 404),
  'PUT /api/homepage': may(`${homepage}.update`, 400),
  'DELETE /api/homepage': may(`${homepage}.delete`, 204),
  'POST /api/homepage/actions/publish': may(`${homepage}.publish`, 404),
  'POST /api/homepage/actions/unpublish': may(`${homepage}.publish`, 404),
  'POST /api/homepage/actions/discard-draft': may(`${homepage}.publish`, 404),

  'POST /api/auth/local': may(`${users}.auth.callback`, 400),
  'GET /api/connect/:provider': may(`${users}.auth.connect`, 400),
  'GET /api/connect/:provider/callback': may(`${users}.auth.connect`, 400),
  'GET /api/auth/:provider/callback': may(`${users}.auth.callback`, 400),
  'POST /api/auth/local/register': may(`${users}.auth.register`, 400),
  'POST /api/auth/change-password': may(`${users}.auth.changePassword`, 400),
  'POST /api/auth/forgot-password': may(`${users}.auth.forgotPassword`, 400),
  'POST /api/auth/reset-password': may(`${users}.auth.resetPassword`, 400),
  'GET /api/auth/email-confirmation': may(`${users}.auth.emailConfirmation`, 400),
  'POST /api/auth/send-email-confirmation': may(`${users}.auth.sendEmailConfirmation`, 400),

  'GET /api/users': mayRead(`${users}.user.find`, 200),
  'GET /api/users/count': may(`${users}.user.count`, 200),
  'GET /api/users/me': may(`${users}.user.me`, 200, { except: { token: 401, public: 401 } }),
  'GET /api/users/:id': mayRead(`${users}.user.findOne`, 404),
  'POST /api/users': may(`${users}.user.create`, 400),
  'PUT /api/users/:id': may(`${users}.user.update`, 404),
  'DELETE /api/users/:id': may(`${users}.user.destroy`, 404),
  'GET /api/users-permissions/roles': mayRead(`${users}.role.find`, 200),
  'GET /api/users-permissions/roles/:id': mayRead(`${users}.role.findOne`, 404),
  'POST /api/users-permissions/roles': may(`${users}.role.createRole`, 400),
  'PUT /api/users-permissions/roles/:id': may(`${users}.role.updateRole`, 404),
  'DELETE /api/users-permissions/roles/:id': may(`${users}.role.deleteRole`, 404),
  'GET /api/users-permissions/permissions': may(`${users}.permissions.getPermissions`, 200),

  'GET /api/i18n/locales': may('plugin::i18n.locales.listLocales', 200),
  'POST /api/upload': may(`${upload}.upload`, 400),
  'GET /api/upload/files': mayRead(`${upload}.find`, 200),
  'GET /api/upload/files/:id': mayRead(`${upload}.findOne`, 404),
  'DELETE /api/upload/files/:id': may(`${upload}.destroy`, 404),
  'GET /uploads/:name': { access: 'anybody', status: 404 },
  'GET /documentation': { access: 'anybody', status: 200 },
  'GET /documentation/assets/:name': { access: 'anybody', status: 404 },
  'GET /documentation/openapi.json': { access: 'anyone', status: 200 },

  'GET /api/content-type-builder/content-types': { access: 'full-access', status: 200 },
  'GET /api/content-type-builder/content-types/:uid': { access: 'full-access', status: 404 },
  'GET /api/content-type-builder/components': { access: 'full-access', status: 200 },
  'GET /api/content-type-builder/components/:uid': { access: 'full-access', status: 404 },
  'GET /api/content-type-builder/typescript': { access: 'full-access', status: 200 },

  'POST /content-manager/uid/generate': { access: 'admin', status: 400 },
  'POST /content-manager/uid/check-availability': { access: 'admin', status: 400 },

  'POST /admin/register-admin': { access: 'anybody', status: 400 },
  'POST /admin/login': { access: 'anybody', status: 400 },
  'GET /admin/registration-info': { access: 'anybody', status: 400 },
  'POST /admin/register': { access: 'anybody', status: 400 },
  'POST /admin/forgot-password': { access: 'anybody', status: 400 },
  'POST /admin/reset-password': { access: 'anybody', status: 400 },
  'GET /admin/users/me': { access: 'admin', status: 200 },
  'PUT /admin/users/me': { access: 'admin', status: 200, body: { firstname: 'Ada' } },
  'GET /admin/users': { access: 'admin', status: 200 },
  'POST /admin/users': { access: 'admin', status: 400 },
  'GET /admin/users/:id': { access: 'admin', status: 404 },
  'PUT /admin/users/:id': { access: 'admin', status: 404 },
  'DELETE /admin/users/:id': { access: 'admin', status: 404 },
  'GET /admin/api-tokens': { access: 'admin', status: 200 },
  'POST /admin/api-tokens': { access: 'admin', status: 400 },
  'GET /admin/api-tokens/:id': { access: 'admin', status: 404 },
  'PUT /admin/api-tokens/:id': { access: 'admin', status: 404 },
  'DELETE /admin/api-tokens/:id': { access: 'admin', status: 404 },
  'POST /admin/api-tokens/:id/regenerate': { access: 'admin', status: 404 },
  'GET /admin/log-level': { access: 'admin', status: 200 },
  'PUT /admin/log-level': { access: 'admin', status: 400 },
  'DELETE /admin/log-level': { access: 'admin', status: 200 },
  'GET /admin/configuration': { access: 'admin', status: 200 },
  'PUT /admin/configuration': { access: 'admin', status: 400 },
  'GET /admin/content/:uid/export': { access: 'admin', status: 404 },
  'POST /admin/content/:uid/import': { access: 'admin', status: 404 },
  // An export needs snapshots, which MongoDB only supports in replica sets.
  'GET /admin/export': {
    access: 'admin',
    status: process.env['TEST_REPLICA_SET'] === 'true' ? 200 : 400,
  },
  'GET /admin/indexes': { access: 'admin', status: 200 },
  'PUT /admin/indexes/:id': { access: 'admin', status: 400 },
  'GET /content-type-builder/content-types': { access: 'admin', status: 200 },
  'GET /content-type-builder/content-types/:uid': { access: 'admin', status: 404 },
  'GET /content-type-builder/components': { access: 'admin', status: 200 },
  'GET /content-type-builder/components/:uid': { access: 'admin', status: 404 },
  'POST /content-type-builder/difference': { access: 'admin', status: 400 },
  'GET /users-permissions/roles': { access: 'admin', status: 200 },
  'GET /users-permissions/roles/:id': { access: 'admin', status: 404 },
  'POST /users-permissions/roles': { access: 'admin', status: 400 },
  'PUT /users-permissions/roles/:id': { access: 'admin', status: 404 },
  'DELETE /users-permissions/roles/:id': { access: 'admin', status: 404 },
  'GET /users-permissions/permissions': { access: 'admin', status: 200 },
  'POST /upload': { access: 'admin', status: 400 },
  'GET /upload/files': { access: 'admin', status: 200 },
  'GET /upload/files/:id': { access: 'admin', status: 404 },
  'DELETE /upload/files/:id': { access: 'admin', status: 404 },
  'GET /upload/folders': { access: 'admin', status: 200 },
  'POST /upload/folders': { access: 'admin', status: 400 },
  'GET /upload/folders/:id': { access: 'admin', status: 404 },
  'PUT /upload/folders/:id': { access: 'admin', status: 404 },
  'GET /upload/folder-structure': { access: 'admin', status: 200 },
  'POST /upload/actions/bulk-move': { access: 'admin', status: 400 },
  'POST /upload/actions/bulk-delete': { access: 'admin', status: 200 },
  'GET /i18n/locales': { access: 'admin', status: 200 },
  'POST /i18n/locales': { access: 'admin', status: 400 },
  'PUT /i18n/locales/:id': { access: 'admin', status: 404 },
  'DELETE /i18n/locales/:id': { access: 'admin', status: 404 },
}

/** Returns the row of a write of a draft. Either of two actions gives access. */
const mayDraft = (uid: string, verb: 'create' | 'update', status: number, body?: unknown): Row => ({
  access: { action: `${uid}.${verb}Draft`, wider: [`${uid}.${verb}`] },
  status,
  ...(body === undefined ? {} : { body }),
})
export const draftRows: Readonly<Record<string, Row>> = {
  'POST /api/articles?status=draft': mayDraft(article, 'create', 400),
  'POST /api/articles/bulk?status=draft': mayWrite(article, 'createDraft', draftVerbs),
  'PUT /api/articles/x?status=draft': mayDraft(article, 'update', 404, { data: {} }),
  'PUT /api/homepage?status=draft': mayDraft(homepage, 'update', 400),
}
