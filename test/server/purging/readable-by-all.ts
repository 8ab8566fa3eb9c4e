/** The permissions of the public role in tests of public caches. */
export const readableByAll: readonly string[] = [
  ...['article', 'author', 'category', 'tag'].flatMap((name) =>
    ['find', 'findOne'].map((verb) => `api::${name}.${name}.${verb}`),
  ),
  'api::homepage.homepage.find',
  ...['find', 'findOne'].map((verb) => `plugin::upload.content-api.${verb}`),
]
