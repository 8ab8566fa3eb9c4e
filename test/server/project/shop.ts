/** The files of a project in two languages. `shopCode` adds code of every kind. */
export const shop: Readonly<Record<string, unknown>> = {
  'package.json': {
    name: 'shop',
    dependencies: {
      '@strapi/strapi': '5.54.0',
      '@strapi/plugin-users-permissions': '5.54.0',
      '@strapi/plugin-cloud': '5.54.0',
      '@strapi/plugin-graphql': '5.54.0',
      '@strapi/provider-upload-aws-s3': '5.54.0',
      'strapi-v5-plugin-populate-deep': '4.0.0',
      'strapi-plugin-sitemap': '1.0.0',
      'not-a-plugin-of-strapi': '1.0.0',
      menus: '1.0.0',
      '../escape': '1.0.0',
      react: '18.0.0',
    },
  },
  'node_modules/menus/package.json': { name: 'menus', strapi: { kind: 'plugin', name: 'menus' } },
  'node_modules/not-a-plugin-of-strapi/package.json': { name: 'not-a-plugin-of-strapi' },
  'node_modules/menus/src/api/x/controllers/x.js': 'module.exports = { find() { return 1 } }',
  'src/api/product/content-types/product/schema.json': {
    kind: 'collectionType',
    collectionName: 'products',
    info: { singularName: 'product', pluralName: 'products', displayName: 'Product' },
    attributes: { name: { type: 'string', required: true } },
  },
}

/** Code that generators write. It does nothing that Quire does not do by itself. */
export const shopBoilerplate: Readonly<Record<string, string>> = {
  'src/index.ts': `// import type { Core } from '@strapi/strapi';

export default {
  /** Runs before the application is initialized. */
  register(/* { strapi }: { strapi: Core.Strapi } */) {},
  bootstrap(/* { strapi }: { strapi: Core.Strapi } */) {},
}
`,
  'src/api/product/controllers/product.ts': `import { factories } from '@strapi/strapi'

export default factories.createCoreController('api::product.product')
`,
  'src/api/product/routes/product.ts': `import { factories } from '@strapi/strapi'
export default factories.createCoreRouter('api::product.product' as any)
`,
  'src/api/product/services/product.js': `'use strict'
const { createCoreService } = require('@strapi/strapi').factories

module.exports = createCoreService('api::product.product', ({ strapi }) => ({}))
`,
  'src/api/product/routes/custom.js': 'module.exports = { routes: [] }\n',
  'src/api/product/content-types/product/lifecycles.ts': `// export default { beforeCreate(event) {} }
`,
  'src/api/product/controllers/product.test.ts': 'it("works", () => {})\n',
  'src/middlewares/.gitkeep': '',
  'src/admin/app.tsx': 'export default { bootstrap(app) { console.log(app) } }\n',
}

/** One piece of code of each kind, in JavaScript or TypeScript. */
export const shopCode: Readonly<Record<string, string>> = {
  'src/index.js': `module.exports = {
  register({ strapi }) { strapi.documents.use((context, next) => next()) },
  bootstrap() {},
}
`,
  'src/api/product/content-types/product/lifecycles.js': `module.exports = {
  beforeCreate(event) { event.params.data.slug = 'x' },
}
`,
  'src/api/product/controllers/product.ts': `import { factories } from '@strapi/strapi'

export default factories.createCoreController('api::product.product', ({ strapi }) => ({
  async find(ctx) { return super.find({ ...ctx, query: { populate: '*' } }) },
}))
`,
  'src/api/product/routes/01-custom.js': `module.exports = {
  routes: [{ method: 'GET', path: '/products/cheap', handler: 'product.cheap' }],
}
`,
  'src/api/product/routes/product.ts': `import { factories } from '@strapi/strapi'
export default factories.createCoreRouter('api::product.product', { only: ['find'] })
`,
  'src/api/product/services/mail/send.ts': 'export const send = (to: string) => fetch(to)\n',
  'src/api/product/policies/is-owner.js': 'module.exports = (context) => !!context.state.user\n',
  'src/policies/broken.js': 'module.exports = (context => {\n',
  'src/api/product/middlewares/populate.js': 'module.exports = () => (ctx, next) => next()\n',
  'src/middlewares/timing.ts': 'export default () => async (ctx, next) => { await next() }\n',
  'src/extensions/users-permissions/strapi-server.ts': `export default (plugin: any) => {
  plugin.controllers.user.me = async () => {}
  return plugin
}
`,
  'src/plugins/search/package.json': '{ "strapi": { "name": "search", "kind": "plugin" } }',
  'src/plugins/search/strapi-server.js': "module.exports = require('./server')\n",
  'src/plugins/search/admin/src/index.js': 'export default { register() { return 1 } }\n',
  'config/cron-tasks.ts': `export default { '0 * * * *': ({ strapi }) => strapi.log.info('x') }
`,
  'database/migrations/2024.01.01.rename.js':
    'module.exports = { async up(knex) { await knex } }\n',
}
