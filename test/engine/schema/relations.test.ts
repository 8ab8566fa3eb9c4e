import { expect } from 'chai'
import type { Definition } from '../../../engine/schema/content-type.js'
import { attributeOf, component, contentType, define, problemsOf } from './define.js'

const relation = (kind: string, target: string, more: Definition = {}) => ({
  type: 'relation',
  relation: kind,
  target: `api::${target}.${target}`,
  ...more,
})

const pair = (near: Definition, far: Definition) => [
  contentType({ far: near }, {}, 'near'),
  contentType({ near: far }, {}, 'far'),
]

type Case = readonly [what: string, near: Definition, far: Definition, problems: readonly string[]]

describe('relations', () => {
  for (const [kind, many] of [
    ['oneToOne', false],
    ['oneToMany', true],
    ['manyToOne', false],
    ['manyToMany', true],
  ] as const)
    it(`store a one-sided ${kind} in the type itself, without exclusive targets`, () => {
      const registry = define(contentType({ other: relation(kind, 'thing') }))
      const attribute = attributeOf(registry, 'other')
      expect(attribute).to.include({ owner: true, many, exclusive: false })
      expect(attribute).to.not.have.property('inverseSide')
    })

  for (const [near, far, exclusive] of [
    ['oneToOne', 'oneToOne', [true, true]],
    ['manyToOne', 'oneToMany', [false, true]],
    ['oneToMany', 'manyToOne', [true, false]],
    ['manyToMany', 'manyToMany', [false, false]],
  ] as const)
    it(`store a two-sided ${near} on the side with inversedBy`, () => {
      const registry = define(
        ...pair(
          relation(near, 'far', { inversedBy: 'near' }),
          relation(far, 'near', { mappedBy: 'far' }),
        ),
      )
      expect(attributeOf(registry, 'far', 'api::near.near')).to.include({
        owner: true,
        inverseSide: 'near',
        exclusive: exclusive[0],
      })
      expect(attributeOf(registry, 'near', 'api::far.far')).to.include({
        owner: false,
        inverseSide: 'far',
        exclusive: exclusive[1],
      })
    })

  it('are owned by the type with the later uid if both sides have inversedBy', () => {
    const registry = define(
      ...pair(
        relation('manyToMany', 'far', { inversedBy: 'near' }),
        relation('manyToMany', 'near', { inversedBy: 'far' }),
      ).reverse(),
    )
    expect(attributeOf(registry, 'far', 'api::near.near')).to.include({
      ...{ owner: true, inverseSide: 'near' },
    })
    expect(attributeOf(registry, 'near', 'api::far.far')).to.include({
      ...{ owner: false, inverseSide: 'far' },
    })
  })

  it('are owned by the later attribute name if both sides in one type have inversedBy', () => {
    const heir = relation('oneToOne', 'thing', { inversedBy: 'parent' })
    const parent = relation('oneToOne', 'thing', { inversedBy: 'heir' })
    for (const attributes of [
      { heir, parent },
      { parent, heir },
    ]) {
      const registry = define(contentType(attributes))
      expect(attributeOf(registry, 'heir')).to.include({ owner: false, exclusive: true })
      expect(attributeOf(registry, 'parent')).to.include({ owner: true, exclusive: true })
    }
  })

  it('have one side if an attribute names itself as inverse side', () => {
    expect(
      problemsOf(
        contentType({ friends: relation('manyToMany', 'thing', { inversedBy: 'friends' }) }),
      ),
    ).to.deep.equal([
      'warned thing.json: attributes.friends.inversedBy: the relation is stored here and has no inverse side: "friends" of api::thing.thing cannot be its own other side',
    ])
  })

  it('can refer to built-in types and to their own type', () => {
    expect(
      problemsOf(
        contentType({
          user: {
            type: 'relation',
            relation: 'manyToOne',
            target: 'plugin::users-permissions.user',
          },
          parent: relation('manyToOne', 'thing', { inversedBy: 'children' }),
          children: relation('oneToMany', 'thing', { mappedBy: 'parent' }),
        }),
      ),
    ).to.deep.equal([])
  })

  it('suggest the new uid of a renamed target', () => {
    expect(
      problemsOf(
        contentType({ other: relation('manyToOne', 'stall') }, {}, 'near'),
        contentType({}, { renamedFrom: 'api::stall.stall' }, 'booth'),
        contentType({}, {}, 'stalls'),
      ),
    ).to.deep.equal([
      'near.json: attributes.other.target: there is no content-type "api::stall.stall"; its name is "api::booth.booth" now',
    ])
  })

  const owning = relation('manyToOne', 'far', { inversedBy: 'near' })
  const inverse = relation('oneToMany', 'near', { mappedBy: 'far' })
  const cases: readonly Case[] = [
    [
      'a missing target type',
      relation('oneToOne', 'fra'),
      { type: 'string' },
      [
        'near.json: attributes.far.target: there is no content-type "api::fra.fra"; did you mean "api::far.far"?',
      ],
    ],
    ...(['oneToOne', 'manyToMany', 'morphMany'] as const).flatMap((kind) =>
      ['plugin::upload.folder', 'admin::role', 'plugin::content-releases.release'].map(
        (target): Case => [
          `a Strapi type that Quire does not have (${kind}, ${target})`,
          { type: 'relation', relation: kind, target, morphBy: 'related', mappedBy: 'near' },
          { type: 'string' },
          [
            `warned near.json: attributes.far.target: the relation is left out: Quire does not have "${target}"`,
          ],
        ],
      ),
    ),
    [
      'a misspelt Strapi type',
      { type: 'relation', relation: 'oneToOne', target: 'plugin::upload.fiel' },
      { type: 'string' },
      [
        'near.json: attributes.far.target: there is no content-type "plugin::upload.fiel"; did you mean "plugin::upload.file"?',
      ],
    ],
    ...(['morphOne', 'morphMany'] as const).map((kind): Case => [
      `media in the notation of old Strapi versions, with ${kind}`,
      { type: 'relation', relation: kind, target: 'plugin::upload.file', morphBy: 'related' },
      { type: 'string' },
      [
        'warned near.json: attributes.far.morphBy: the relation is left out: files do not store where they are used. Use an attribute of type media',
      ],
    ]),
    [
      'an unknown kind of relation',
      relation('oneToMnay', 'far'),
      { type: 'string' },
      [
        'near.json: attributes.far.relation: there is no relation "oneToMnay"; did you mean "oneToMany"?',
      ],
    ],
    [
      'a missing attribute that should store a polymorphic relation',
      relation('morphMany', 'far', { morphBy: 'naer' }),
      { type: 'relation', relation: 'morphToMany' },
      [
        'near.json: attributes.far.morphBy: there is no attribute "naer" of api::far.far; did you mean "near"?',
      ],
    ],
    [
      'an attribute that should store a polymorphic relation but is a string',
      relation('morphOne', 'far', { morphBy: 'near' }),
      { type: 'string' },
      [
        'warned near.json: attributes.far.morphBy: the relation is left out: "near" of api::far.far is neither morphToOne nor morphToMany',
      ],
    ],
    [
      'the inverse side of a polymorphic relation without morphBy',
      relation('morphOne', 'far'),
      { type: 'relation', relation: 'morphToOne' },
      [
        'warned near.json: attributes.far.morphBy: it is left out: the other side of a polymorphic relation needs the name of the attribute that stores it',
      ],
    ],
    [
      'a relation without kind and target',
      { type: 'relation' },
      { type: 'string' },
      [
        'near.json: attributes.far.relation: a relation is one of oneToOne, oneToMany, manyToOne, manyToMany',
      ],
    ],
    [
      'a missing inverse side',
      relation('manyToOne', 'far', { inversedBy: 'naer' }),
      { type: 'string' },
      [
        'warned near.json: attributes.far.inversedBy: the relation is stored here and has no inverse side: there is no attribute "naer" of api::far.far; did you mean "near"?',
      ],
    ],
    ...(['inversedBy', 'mappedBy'] as const).map((side): Case => [
      `a wrong name of the inverse side (${side})`,
      relation('manyToOne', 'far', { [side]: 'other' }),
      relation('oneToMany', 'near'),
      [
        `warned near.json: attributes.far.${side}: the relation is stored here and has no inverse side: there is no attribute "other" of api::far.far; did you mean "near"?`,
      ],
    ]),
    [
      'an inverse side that is not a relation',
      owning,
      { type: 'string' },
      [
        'warned near.json: attributes.far.inversedBy: the relation is stored here and has no inverse side: "near" of api::far.far is not a relation',
      ],
    ],
    [
      'an inverse side without mappedBy',
      owning,
      relation('oneToMany', 'near'),
      [
        'warned near.json: attributes.far.inversedBy: the relation is stored here and has no inverse side: "near" of api::far.far has no inverse side: it needs mappedBy "far"',
      ],
    ],
    [
      'an inverse side with another target',
      owning,
      relation('oneToMany', 'far', { mappedBy: 'near' }),
      [
        'warned near.json: attributes.far.inversedBy: the relation is stored here and has no inverse side: "near" of api::far.far does not refer back: its target is api::far.far',
        'warned far.json: attributes.near.mappedBy: the relation is stored here and has no inverse side: "near" of api::far.far also has mappedBy: one of the two sides needs inversedBy, and stores the relation',
      ],
    ],
    [
      'two sides with inversedBy',
      owning,
      relation('oneToMany', 'near', { inversedBy: 'far' }),
      [
        'warned far.json: attributes.near.inversedBy: "far" of api::near.near also has inversedBy "near". It owns the relation, and Quire uses mappedBy "far" for this side',
      ],
    ],
    [
      'two sides with inversedBy whose kinds do not match',
      relation('manyToMany', 'far', { inversedBy: 'near' }),
      relation('oneToMany', 'near', { inversedBy: 'far' }),
      [
        'warned far.json: attributes.near.inversedBy: "far" of api::near.near also has inversedBy "near". It owns the relation, and Quire uses mappedBy "far" for this side',
        'warned far.json: attributes.near.relation: "far" of api::near.near is manyToMany and owns the relation, so this side is manyToMany',
      ],
    ],
    [
      'two sides with mappedBy',
      relation('manyToOne', 'far', { mappedBy: 'near' }),
      inverse,
      [
        'warned near.json: attributes.far.mappedBy: the relation is stored here and has no inverse side: "near" of api::far.far also has mappedBy: one of the two sides needs inversedBy, and stores the relation',
        'warned far.json: attributes.near.mappedBy: the relation is stored here and has no inverse side: "far" of api::near.near also has mappedBy: one of the two sides needs inversedBy, and stores the relation',
      ],
    ],
    [
      'two sides whose kinds do not match',
      relation('manyToMany', 'far', { inversedBy: 'near' }),
      inverse,
      [
        'warned far.json: attributes.near.relation: "far" of api::near.near is manyToMany and owns the relation, so this side is manyToMany',
      ],
    ],
    [
      'a side with both inversedBy and mappedBy',
      relation('manyToOne', 'far', { inversedBy: 'near', mappedBy: 'near' }),
      inverse,
      [
        'warned near.json: attributes.far.mappedBy: a relation can have mappedBy (on the inverse side) or inversedBy (on the owning side), not both. Quire uses inversedBy',
      ],
    ],
  ]
  for (const [what, near, far, problems] of cases)
    it(`report ${what}`, () => {
      expect(problemsOf(...pair(near, far))).to.deep.equal(problems)
    })

  it('suggest one of several inverse sides only if it names the attribute', () => {
    const dish = contentType(
      { menu: relation('manyToOne', 'menu', { inversedBy: 'dish' }) },
      {},
      'dish',
    )
    const menu = (more: Definition) =>
      contentType(
        { dishes: relation('oneToMany', 'dish', more), starters: relation('oneToMany', 'dish') },
        {},
        'menu',
      )
    const missing =
      'warned dish.json: attributes.menu.inversedBy: the relation is stored here and has no inverse side: there is no attribute "dish" of api::menu.menu'
    expect(problemsOf(dish, menu({ mappedBy: 'menu' }))[0]).to.equal(
      `${missing}; did you mean "dishes"?`,
    )
    expect(problemsOf(dish, menu({}))).to.deep.equal([missing])
  })

  it('have no inverse side in a component', () => {
    expect(
      problemsOf(
        component('shared.a', { far: owning }),
        contentType({ near: inverse }, {}, 'far'),
        contentType({}, {}, 'near'),
      )[0],
    ).to.equal(
      'warned shared.a.json: attributes.far.inversedBy: the relation is stored in the component, and has no inverse side',
    )
  })
})
