/* Written by `quire types` from the definitions of content-types. Do not edit: changes are lost. */
/* eslint-disable */
import type { Filters, Inputs, Types, Values } from '../../client/main.js'

/** The service's content-types, for `createClient<Quire>()`. */
export interface Quire {
  collections: {
    articles: ArticleType
    authors: AuthorType
    categories: CategoryType
    tags: TagType
  }
  singles: {
    homepage: HomepageType
    setting: SettingType
  }
  file: UploadFileType
  user: UserType
}

/** Article (api::article.article). */
export interface Article {
  id: number
  documentId: string
  title: string
  slug: string | null
  summary: string | null
  body: string | null
  blocks: Values.Blocks | null
  kind: 'news' | 'review' | 'guide' | null
  rating: number | null
  score: number | null
  views: number | null
  bigViews: string | null
  featured: boolean | null
  meta: Values.JsonValue | null
  releaseDate: string | null
  releaseTime: string | null
  releaseAt: string | null
  contact: string | null
  createdAt: string
  updatedAt: string
  publishedAt: string
  locale: string
}
export interface ArticleParts {
  cover: Types.OneFile<UploadFileType>
  gallery: Types.Files<UploadFileType>
  author: Types.ToOne<AuthorType>
  category: Types.ToOne<CategoryType>
  tags: Types.ToManyWrapped<TagType>
  related: Types.ToManyWrapped<ArticleType>
  seo: Types.OneComponent<SharedSeoType>
  sections: Types.DynamicZone<{ 'section.hero': SectionHeroType; 'section.quote': SectionQuoteType; 'section.related': SectionRelatedType }>
  localizations: Types.ToMany<ArticleType>
}
export interface ArticleFilters extends Filters.Logical<ArticleFilters> {
  id?: Filters.NumberFilter | undefined
  documentId?: Filters.TextFilter | undefined
  title?: Filters.TextFilter | undefined
  slug?: Filters.TextFilter | undefined
  summary?: Filters.TextFilter | undefined
  body?: Filters.TextFilter | undefined
  blocks?: Filters.JsonFilter | undefined
  kind?: Filters.TextFilter<'news' | 'review' | 'guide'> | undefined
  rating?: Filters.NumberFilter | undefined
  score?: Filters.NumberFilter | undefined
  views?: Filters.NumberFilter | undefined
  bigViews?: Filters.NumberFilter | undefined
  featured?: Filters.BooleanFilter | undefined
  meta?: Filters.JsonFilter | undefined
  releaseDate?: Filters.DateFilter | undefined
  releaseTime?: Filters.Filter<string> | undefined
  releaseAt?: Filters.DateTimeFilter | undefined
  contact?: Filters.TextFilter | undefined
  cover?: Filters.RelationFilter<UploadFileFilters> | undefined
  gallery?: Filters.RelationsFilter<UploadFileFilters> | undefined
  author?: Filters.RelationFilter<AuthorFilters> | undefined
  category?: Filters.RelationFilter<CategoryFilters> | undefined
  tags?: Filters.RelationsFilter<TagFilters> | undefined
  related?: Filters.RelationsFilter<ArticleFilters> | undefined
  seo?: Filters.ComponentFilter<SharedSeoFilters> | undefined
  createdAt?: Filters.DateTimeFilter | undefined
  updatedAt?: Filters.DateTimeFilter | undefined
  publishedAt?: Filters.DateTimeFilter | undefined
  locale?: Filters.TextFilter | undefined
  localizations?: Filters.RelationsFilter<ArticleFilters> | undefined
}
export interface ArticleDraft {
  title?: string | null
  slug?: string | null
  summary?: string | null
  body?: string | null
  blocks?: Values.Blocks | null
  kind?: 'news' | 'review' | 'guide' | null
  rating?: number | string | null
  score?: number | null
  views?: number | null
  bigViews?: number | string | null
  featured?: boolean | null
  meta?: unknown
  releaseDate?: string | Date | null
  releaseTime?: string | null
  releaseAt?: string | number | Date | null
  contact?: string | null
  secret?: string | null
  internalNote?: string | null
  cover?: Inputs.MediaInput | null
  gallery?: Inputs.MediaInput | null
  author?: Inputs.RelationInput | null
  category?: Inputs.RelationInput | null
  tags?: Inputs.RelationInput | null
  related?: Inputs.RelationInput | null
  seo?: SharedSeoDraft | null
  sections?: readonly (({ __component: 'section.hero' } & SectionHeroDraft) | ({ __component: 'section.quote' } & SectionQuoteDraft) | ({ __component: 'section.related' } & SectionRelatedDraft))[]
}
export interface ArticleCreate extends ArticleDraft {
  title: string
  seo?: SharedSeoCreate | null
  sections?: readonly (({ __component: 'section.hero' } & SectionHeroCreate) | ({ __component: 'section.quote' } & SectionQuoteCreate) | ({ __component: 'section.related' } & SectionRelatedCreate))[]
}
export interface ArticleUpdate extends ArticleDraft {
  title?: string
  seo?: SharedSeoCreate | SharedSeoUpdate | null
  sections?: readonly (({ __component: 'section.hero' } & SectionHeroCreate) | ({ __component: 'section.quote' } & SectionQuoteCreate) | ({ __component: 'section.related' } & SectionRelatedCreate))[]
}
export interface ArticleType {
  kind: 'collectionType'
  draftAndPublish: true
  localized: true
  entry: Article
  parts: ArticleParts
  unsorted: 'blocks' | 'meta'
  filters: ArticleFilters
  create: ArticleCreate
  update: ArticleUpdate
  draft: ArticleDraft
  defaultPopulate: undefined
}

/** Author (api::author.author). */
export interface Author {
  id: number
  documentId: string
  name: string
  email: string | null
  bio: string | null
  createdAt: string
  updatedAt: string
  publishedAt: string
}
export interface AuthorParts {
  avatar: Types.OneFile<UploadFileType>
  articles: Types.ToManyWrapped<ArticleType>
  favorite: Types.ToOne<TagType>
}
export interface AuthorFilters extends Filters.Logical<AuthorFilters> {
  id?: Filters.NumberFilter | undefined
  documentId?: Filters.TextFilter | undefined
  name?: Filters.TextFilter | undefined
  email?: Filters.TextFilter | undefined
  bio?: Filters.TextFilter | undefined
  avatar?: Filters.RelationFilter<UploadFileFilters> | undefined
  articles?: Filters.RelationsFilter<ArticleFilters> | undefined
  favorite?: Filters.RelationFilter<TagFilters> | undefined
  createdAt?: Filters.DateTimeFilter | undefined
  updatedAt?: Filters.DateTimeFilter | undefined
  publishedAt?: Filters.DateTimeFilter | undefined
}
export interface AuthorDraft {
  name?: string | null
  email?: string | null
  bio?: string | null
  avatar?: Inputs.MediaInput | null
  articles?: Inputs.RelationInput | null
  favorite?: Inputs.RelationInput | null
}
export interface AuthorCreate extends AuthorDraft {
  name: string
}
export interface AuthorUpdate extends AuthorDraft {
  name?: string
}
export interface AuthorType {
  kind: 'collectionType'
  draftAndPublish: false
  localized: false
  entry: Author
  parts: AuthorParts
  unsorted: never
  filters: AuthorFilters
  create: AuthorCreate
  update: AuthorUpdate
  draft: AuthorDraft
  defaultPopulate: undefined
}

/** Category (api::category.category). */
export interface Category {
  id: number
  documentId: string
  name: string
  slug: string | null
  rank: number | null
  createdAt: string
  updatedAt: string
  publishedAt: string
}
export interface CategoryParts {
  articles: Types.ToManyWrapped<ArticleType>
  parent: Types.ToOne<CategoryType>
  children: Types.ToManyWrapped<CategoryType>
}
export interface CategoryFilters extends Filters.Logical<CategoryFilters> {
  id?: Filters.NumberFilter | undefined
  documentId?: Filters.TextFilter | undefined
  name?: Filters.TextFilter | undefined
  slug?: Filters.TextFilter | undefined
  rank?: Filters.NumberFilter | undefined
  articles?: Filters.RelationsFilter<ArticleFilters> | undefined
  parent?: Filters.RelationFilter<CategoryFilters> | undefined
  children?: Filters.RelationsFilter<CategoryFilters> | undefined
  createdAt?: Filters.DateTimeFilter | undefined
  updatedAt?: Filters.DateTimeFilter | undefined
  publishedAt?: Filters.DateTimeFilter | undefined
}
export interface CategoryDraft {
  name?: string | null
  slug?: string | null
  rank?: number | null
  articles?: Inputs.RelationInput | null
  parent?: Inputs.RelationInput | null
  children?: Inputs.RelationInput | null
}
export interface CategoryCreate extends CategoryDraft {
  name: string
}
export interface CategoryUpdate extends CategoryDraft {
  name?: string
}
export interface CategoryType {
  kind: 'collectionType'
  draftAndPublish: false
  localized: false
  entry: Category
  parts: CategoryParts
  unsorted: never
  filters: CategoryFilters
  create: CategoryCreate
  update: CategoryUpdate
  draft: CategoryDraft
  defaultPopulate: undefined
}

/** Homepage (api::homepage.homepage). */
export interface Homepage {
  id: number
  documentId: string
  heading: string
  createdAt: string
  updatedAt: string
  publishedAt: string
  locale: string
}
export interface HomepageParts {
  hero: Types.OneComponent<SectionHeroType>
  featured: Types.ToManyWrapped<ArticleType>
  localizations: Types.ToMany<HomepageType>
}
export interface HomepageFilters extends Filters.Logical<HomepageFilters> {
  id?: Filters.NumberFilter | undefined
  documentId?: Filters.TextFilter | undefined
  heading?: Filters.TextFilter | undefined
  hero?: Filters.ComponentFilter<SectionHeroFilters> | undefined
  featured?: Filters.RelationsFilter<ArticleFilters> | undefined
  createdAt?: Filters.DateTimeFilter | undefined
  updatedAt?: Filters.DateTimeFilter | undefined
  publishedAt?: Filters.DateTimeFilter | undefined
  locale?: Filters.TextFilter | undefined
  localizations?: Filters.RelationsFilter<HomepageFilters> | undefined
}
export interface HomepageDraft {
  heading?: string | null
  hero?: SectionHeroDraft | null
  featured?: Inputs.RelationInput | null
}
export interface HomepageCreate extends HomepageDraft {
  heading: string
  hero?: SectionHeroCreate | null
}
export interface HomepageUpdate extends HomepageDraft {
  heading?: string
  hero?: SectionHeroCreate | SectionHeroUpdate | null
}
export interface HomepageType {
  kind: 'singleType'
  draftAndPublish: true
  localized: true
  entry: Homepage
  parts: HomepageParts
  unsorted: never
  filters: HomepageFilters
  create: HomepageCreate
  update: HomepageUpdate
  draft: HomepageDraft
  defaultPopulate: undefined
}

/** Setting (api::setting.setting). */
export interface Setting {
  id: number
  documentId: string
  siteName: string | null
  options: Values.JsonValue | null
  createdAt: string
  updatedAt: string
  publishedAt: string
}
export interface SettingParts {}
export interface SettingFilters extends Filters.Logical<SettingFilters> {
  id?: Filters.NumberFilter | undefined
  documentId?: Filters.TextFilter | undefined
  siteName?: Filters.TextFilter | undefined
  options?: Filters.JsonFilter | undefined
  createdAt?: Filters.DateTimeFilter | undefined
  updatedAt?: Filters.DateTimeFilter | undefined
  publishedAt?: Filters.DateTimeFilter | undefined
}
export interface SettingDraft {
  siteName?: string | null
  options?: unknown
}
export interface SettingCreate extends SettingDraft {}
export interface SettingUpdate extends SettingDraft {}
export interface SettingType {
  kind: 'singleType'
  draftAndPublish: false
  localized: false
  entry: Setting
  parts: SettingParts
  unsorted: 'options'
  filters: SettingFilters
  create: SettingCreate
  update: SettingUpdate
  draft: SettingDraft
  defaultPopulate: undefined
}

/** Tag (api::tag.tag). */
export interface Tag {
  id: number
  documentId: string
  name: string
  color: string | null
  createdAt: string
  updatedAt: string
  publishedAt: string
}
export interface TagParts {
  articles: Types.ToManyWrapped<ArticleType>
}
export interface TagFilters extends Filters.Logical<TagFilters> {
  id?: Filters.NumberFilter | undefined
  documentId?: Filters.TextFilter | undefined
  name?: Filters.TextFilter | undefined
  color?: Filters.TextFilter | undefined
  articles?: Filters.RelationsFilter<ArticleFilters> | undefined
  createdAt?: Filters.DateTimeFilter | undefined
  updatedAt?: Filters.DateTimeFilter | undefined
  publishedAt?: Filters.DateTimeFilter | undefined
}
export interface TagDraft {
  name?: string | null
  color?: string | null
  articles?: Inputs.RelationInput | null
}
export interface TagCreate extends TagDraft {
  name: string
}
export interface TagUpdate extends TagDraft {
  name?: string
}
export interface TagType {
  kind: 'collectionType'
  draftAndPublish: true
  localized: false
  entry: Tag
  parts: TagParts
  unsorted: never
  filters: TagFilters
  create: TagCreate
  update: TagUpdate
  draft: TagDraft
  defaultPopulate: undefined
}

/** File (plugin::upload.file). */
export interface UploadFile {
  id: number
  documentId: string
  name: string
  alternativeText: string | null
  caption: string | null
  focalPoint: Values.JsonValue | null
  width: number | null
  height: number | null
  formats: Values.MediaFormats | null
  hash: string
  ext: string | null
  mime: string
  size: number
  url: string
  previewUrl: string | null
  provider: string
  provider_metadata: Values.JsonValue | null
  createdAt: string
  updatedAt: string
  publishedAt: string
}
export interface UploadFileParts {
  related: Types.UsesWrapped<MorphTargets>
}
export interface UploadFileFilters extends Filters.Logical<UploadFileFilters> {
  id?: Filters.NumberFilter | undefined
  documentId?: Filters.TextFilter | undefined
  name?: Filters.TextFilter | undefined
  alternativeText?: Filters.TextFilter | undefined
  caption?: Filters.TextFilter | undefined
  focalPoint?: Filters.JsonFilter | undefined
  width?: Filters.NumberFilter | undefined
  height?: Filters.NumberFilter | undefined
  formats?: Filters.JsonFilter | undefined
  hash?: Filters.TextFilter | undefined
  ext?: Filters.TextFilter | undefined
  mime?: Filters.TextFilter | undefined
  size?: Filters.NumberFilter | undefined
  url?: Filters.TextFilter | undefined
  previewUrl?: Filters.TextFilter | undefined
  provider?: Filters.TextFilter | undefined
  provider_metadata?: Filters.JsonFilter | undefined
  createdAt?: Filters.DateTimeFilter | undefined
  updatedAt?: Filters.DateTimeFilter | undefined
  publishedAt?: Filters.DateTimeFilter | undefined
}
export interface UploadFileDraft {
  name?: string | null
  alternativeText?: string | null
  caption?: string | null
  focalPoint?: unknown
  width?: number | null
  height?: number | null
  formats?: unknown
  hash?: string | null
  ext?: string | null
  mime?: string | null
  size?: number | null
  url?: string | null
  previewUrl?: string | null
  provider?: string | null
  provider_metadata?: unknown
}
export interface UploadFileCreate extends UploadFileDraft {
  name: string
  hash: string
  mime: string
  size: number
  url: string
  provider: string
}
export interface UploadFileUpdate extends UploadFileDraft {
  name?: string
  hash?: string
  mime?: string
  size?: number
  url?: string
  provider?: string
}
export interface UploadFileType {
  kind: 'collectionType'
  draftAndPublish: false
  localized: false
  entry: UploadFile
  parts: UploadFileParts
  unsorted: 'focalPoint' | 'formats' | 'provider_metadata'
  filters: UploadFileFilters
  create: UploadFileCreate
  update: UploadFileUpdate
  draft: UploadFileDraft
  defaultPopulate: undefined
}

/** Role (plugin::users-permissions.role). */
export interface Role {
  id: number
  documentId: string
  name: string
  description: string | null
  type: string | null
  createdAt: string
  updatedAt: string
  publishedAt: string
}
export interface RoleParts {}
export interface RoleFilters extends Filters.Logical<RoleFilters> {
  id?: Filters.NumberFilter | undefined
  documentId?: Filters.TextFilter | undefined
  name?: Filters.TextFilter | undefined
  description?: Filters.TextFilter | undefined
  type?: Filters.TextFilter | undefined
  users?: Filters.RelationsFilter<UserFilters> | undefined
  createdAt?: Filters.DateTimeFilter | undefined
  updatedAt?: Filters.DateTimeFilter | undefined
  publishedAt?: Filters.DateTimeFilter | undefined
}
export interface RoleDraft {
  name?: string | null
  description?: string | null
  type?: string | null
  users?: Inputs.RelationInput | null
  permissions?: unknown
}
export interface RoleCreate extends RoleDraft {
  name: string
}
export interface RoleUpdate extends RoleDraft {
  name?: string
}
export interface RoleType {
  kind: 'collectionType'
  draftAndPublish: false
  localized: false
  entry: Role
  parts: RoleParts
  unsorted: never
  filters: RoleFilters
  create: RoleCreate
  update: RoleUpdate
  draft: RoleDraft
  defaultPopulate: undefined
}

/** User (plugin::users-permissions.user). */
export interface User {
  id: number
  documentId: string
  username: string
  email: string
  provider: string | null
  confirmed: boolean | null
  blocked: boolean | null
  createdAt: string
  updatedAt: string
  publishedAt: string
}
export interface UserParts {
  role: Types.ToOne<RoleType>
}
export interface UserFilters extends Filters.Logical<UserFilters> {
  id?: Filters.NumberFilter | undefined
  documentId?: Filters.TextFilter | undefined
  username?: Filters.TextFilter | undefined
  email?: Filters.TextFilter | undefined
  provider?: Filters.TextFilter | undefined
  confirmed?: Filters.BooleanFilter | undefined
  blocked?: Filters.BooleanFilter | undefined
  role?: Filters.RelationFilter<RoleFilters> | undefined
  createdAt?: Filters.DateTimeFilter | undefined
  updatedAt?: Filters.DateTimeFilter | undefined
  publishedAt?: Filters.DateTimeFilter | undefined
}
export interface UserDraft {
  username?: string | null
  email?: string | null
  provider?: string | null
  password?: string | null
  resetPasswordToken?: string | null
  confirmationToken?: string | null
  confirmed?: boolean | null
  blocked?: boolean | null
  role?: Inputs.RelationInput | null
}
export interface UserCreate extends UserDraft {
  username: string
  email: string
}
export interface UserUpdate extends UserDraft {
  username?: string
  email?: string
}
export interface UserType {
  kind: 'collectionType'
  draftAndPublish: false
  localized: false
  entry: User
  parts: UserParts
  unsorted: never
  filters: UserFilters
  create: UserCreate
  update: UserUpdate
  draft: UserDraft
  defaultPopulate: undefined
}

/** hero (section.hero). */
export interface SectionHero {
  id: number
  heading: string | null
}
export interface SectionHeroParts {
  cta: Types.OneComponent<SharedLinkType>
  picture: Types.OneFile<UploadFileType>
}
export interface SectionHeroFilters extends Filters.Logical<SectionHeroFilters> {
  id?: Filters.NumberFilter | undefined
  heading?: Filters.TextFilter | undefined
  cta?: Filters.ComponentFilter<SharedLinkFilters> | undefined
  picture?: Filters.RelationFilter<UploadFileFilters> | undefined
}
export interface SectionHeroDraft {
  id?: number
  heading?: string | null
  cta?: SharedLinkDraft | null
  picture?: Inputs.MediaInput | null
}
export interface SectionHeroCreate extends SectionHeroDraft {
  cta?: SharedLinkCreate | null
}
export interface SectionHeroUpdate extends SectionHeroDraft {
  id: number
  cta?: SharedLinkCreate | SharedLinkUpdate | null
}
export interface SectionHeroType {
  entry: SectionHero
  parts: SectionHeroParts
  unsorted: never
  filters: SectionHeroFilters
}

/** quote (section.quote). */
export interface SectionQuote {
  id: number
  text: string
}
export interface SectionQuoteParts {
  by: Types.ToOne<AuthorType>
}
export interface SectionQuoteFilters extends Filters.Logical<SectionQuoteFilters> {
  id?: Filters.NumberFilter | undefined
  text?: Filters.TextFilter | undefined
  by?: Filters.RelationFilter<AuthorFilters> | undefined
}
export interface SectionQuoteDraft {
  id?: number
  text?: string | null
  by?: Inputs.RelationInput | null
}
export interface SectionQuoteCreate extends SectionQuoteDraft {
  text: string
}
export interface SectionQuoteUpdate extends SectionQuoteDraft {
  id: number
  text?: string
}
export interface SectionQuoteType {
  entry: SectionQuote
  parts: SectionQuoteParts
  unsorted: never
  filters: SectionQuoteFilters
}

/** related (section.related). */
export interface SectionRelated {
  id: number
  title: string | null
}
export interface SectionRelatedParts {
  articles: Types.ToManyWrapped<ArticleType>
}
export interface SectionRelatedFilters extends Filters.Logical<SectionRelatedFilters> {
  id?: Filters.NumberFilter | undefined
  title?: Filters.TextFilter | undefined
  articles?: Filters.RelationsFilter<ArticleFilters> | undefined
}
export interface SectionRelatedDraft {
  id?: number
  title?: string | null
  articles?: Inputs.RelationInput | null
}
export interface SectionRelatedCreate extends SectionRelatedDraft {}
export interface SectionRelatedUpdate extends SectionRelatedDraft {
  id: number
}
export interface SectionRelatedType {
  entry: SectionRelated
  parts: SectionRelatedParts
  unsorted: never
  filters: SectionRelatedFilters
}

/** link (shared.link). */
export interface SharedLink {
  id: number
  label: string
  href: string | null
}
export interface SharedLinkParts {}
export interface SharedLinkFilters extends Filters.Logical<SharedLinkFilters> {
  id?: Filters.NumberFilter | undefined
  label?: Filters.TextFilter | undefined
  href?: Filters.TextFilter | undefined
}
export interface SharedLinkDraft {
  id?: number
  label?: string | null
  href?: string | null
}
export interface SharedLinkCreate extends SharedLinkDraft {
  label: string
}
export interface SharedLinkUpdate extends SharedLinkDraft {
  id: number
  label?: string
}
export interface SharedLinkType {
  entry: SharedLink
  parts: SharedLinkParts
  unsorted: never
  filters: SharedLinkFilters
}

/** seo (shared.seo). */
export interface SharedSeo {
  id: number
  metaTitle: string
  metaDescription: string | null
}
export interface SharedSeoParts {
  social: Types.Components<SharedSocialType>
  image: Types.OneFile<UploadFileType>
}
export interface SharedSeoFilters extends Filters.Logical<SharedSeoFilters> {
  id?: Filters.NumberFilter | undefined
  metaTitle?: Filters.TextFilter | undefined
  metaDescription?: Filters.TextFilter | undefined
  social?: Filters.ComponentsFilter<SharedSocialFilters> | undefined
  image?: Filters.RelationFilter<UploadFileFilters> | undefined
}
export interface SharedSeoDraft {
  id?: number
  metaTitle?: string | null
  metaDescription?: string | null
  social?: readonly (SharedSocialDraft)[]
  image?: Inputs.MediaInput | null
}
export interface SharedSeoCreate extends SharedSeoDraft {
  metaTitle: string
  social?: readonly (SharedSocialCreate)[]
}
export interface SharedSeoUpdate extends SharedSeoDraft {
  id: number
  metaTitle?: string
  social?: readonly (SharedSocialCreate | SharedSocialUpdate)[]
}
export interface SharedSeoType {
  entry: SharedSeo
  parts: SharedSeoParts
  unsorted: never
  filters: SharedSeoFilters
}

/** social (shared.social). */
export interface SharedSocial {
  id: number
  network: 'facebook' | 'x' | null
  url: string | null
}
export interface SharedSocialParts {
  profile: Types.ToOne<AuthorType>
}
export interface SharedSocialFilters extends Filters.Logical<SharedSocialFilters> {
  id?: Filters.NumberFilter | undefined
  network?: Filters.TextFilter<'facebook' | 'x'> | undefined
  url?: Filters.TextFilter | undefined
  profile?: Filters.RelationFilter<AuthorFilters> | undefined
}
export interface SharedSocialDraft {
  id?: number
  network?: 'facebook' | 'x' | null
  url?: string | null
  profile?: Inputs.RelationInput | null
}
export interface SharedSocialCreate extends SharedSocialDraft {}
export interface SharedSocialUpdate extends SharedSocialDraft {
  id: number
}
export interface SharedSocialType {
  entry: SharedSocial
  parts: SharedSocialParts
  unsorted: never
  filters: SharedSocialFilters
}

/** Possible targets of polymorphic relations, by uid. */
export interface MorphTargets {
  'api::article.article': ArticleType
  'api::author.author': AuthorType
  'api::category.category': CategoryType
  'api::homepage.homepage': HomepageType
  'api::setting.setting': SettingType
  'api::tag.tag': TagType
  'plugin::upload.file': UploadFileType
  'plugin::users-permissions.user': UserType
}
