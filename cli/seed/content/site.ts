import type { Link, Section } from './sections.js'
import { facts, quote, quoteOf, related } from './sections.js'

/** What the single types and the pages say, per locale. */
export type HomepageSeed = Readonly<{
  heading: string
  intro: string
  hero: Readonly<{ heading: string; text: string; picture: string; cta: Link }>
  sections: readonly Section[]
}>
export type PageSeed = Readonly<{ slug: string; title: string; sections: readonly Section[] }>

export const siteSettings = {
  siteName: 'The Slow Ferry',
  tagline: 'A magazine of places, craft and attention',
  contactEmail: 'editors@slow-ferry.example',
  articlesPerPage: 10,
  navigation: [
    { label: 'Places', href: '/places' },
    { label: 'Making', href: '/making' },
    { label: 'Nature', href: '/nature' },
    { label: 'Ideas', href: '/ideas' },
    { label: 'About', href: '/about' },
  ],
  social: [
    { network: 'mastodon', url: 'https://social.example/@slowferry' },
    { network: 'newsletter', url: 'https://letters.example/slow-ferry' },
  ],
  options: { theme: 'paper', serif: true, issues: { perYear: 4, first: '2023-03' } },
} as const

/** Slugs of the articles on the homepage, in its order, in every language that has them. */
export const homepageArticles = [
  'the-slowest-clock',
  'the-dark-valley',
  'night-train-to-the-sea',
  'forty-years-of-the-same-sourdough',
] as const

const heroOf = (heading: string, text: string, label: string): HomepageSeed['hero'] => ({
  heading,
  text,
  picture: 'the-last-ferry-of-october',
  cta: { label, href: '/articles/the-last-ferry-of-october' },
})

export const homepages: Readonly<Record<'en' | 'fr' | 'de', HomepageSeed>> = {
  en: {
    heading: 'Take the slow boat',
    intro: 'Four times a year: reports, essays and instructions for things that cannot be hurried.',
    hero: heroOf(
      'The Last Ferry of October',
      'When the summer timetable ends, an island becomes an island again.',
      'Come aboard',
    ),
    sections: [
      {
        kind: 'text',
        heading: 'What this is',
        body: 'A magazine that arrives when it is ready. We write about places you can walk to, things you can mend, and birds that have been counted by hand.',
      },
      quoteOf(
        'hugh-penrose',
        'If you are going to be late, you may as well look out of the window.',
      ),
      related(
        'Instructions',
        'how-to-read-a-tide-table',
        'sharpening-a-knife-slowly',
        'reading-clouds',
        'soup-for-thirty',
      ),
    ],
  },
  fr: {
    heading: 'Prenez le bateau lent',
    intro:
      'Quatre fois par an : reportages, essais et modes d’emploi pour ce qui ne se presse pas.',
    hero: heroOf(
      'Le dernier ferry d’octobre',
      'Quand finit l’horaire d’été, une île redevient une île.',
      'Montez à bord',
    ),
    sections: [
      {
        kind: 'text',
        heading: 'De quoi s’agit-il ?',
        body: 'D’un magazine qui paraît quand il est prêt. Nous parlons de lieux où l’on va à pied, d’objets qui se réparent et d’oiseaux comptés à la main.',
      },
      quoteOf('hugh-penrose', 'Quitte à être en retard, autant regarder par la fenêtre.'),
    ],
  },
  de: {
    heading: 'Nehmen Sie das langsame Schiff',
    intro:
      'Viermal im Jahr: Reportagen, Essays und Anleitungen für alles, was keine Eile verträgt.',
    hero: heroOf(
      'Die letzte Fähre im Oktober',
      'Wenn der Sommerfahrplan endet, wird eine Insel wieder zur Insel.',
      'An Bord gehen',
    ),
    sections: [
      {
        kind: 'text',
        heading: 'Was das hier ist',
        body: 'Ein Magazin, das erscheint, wenn es fertig ist. Wir schreiben über Orte, zu denen man gehen kann, über Dinge, die sich flicken lassen, und über Vögel, die jemand von Hand gezählt hat.',
      },
      quoteOf('hugh-penrose', 'Wer schon zu spät kommt, kann auch aus dem Fenster sehen.'),
    ],
  },
}

/** By the English slug; each with its languages. */
export const pages: Readonly<
  Record<string, Readonly<{ en: PageSeed; fr?: PageSeed; de?: PageSeed }>>
> = {
  about: {
    en: {
      slug: 'about',
      title: 'About us',
      sections: [
        {
          kind: 'text',
          heading: 'Eight people, one kettle',
          body: 'The Slow Ferry was founded in 2023 on a train that stood for three hours outside Falköping. It is written by eight people in eight cities, who meet once a year, by boat.',
        },
        facts('In figures', { Issues: '4 a year', Desks: '8', Deadlines: 'A few' }),
        quote('From the first editorial', 'We intend to be punctual about things that matter.'),
      ],
    },
    fr: {
      slug: 'a-propos',
      title: 'À propos',
      sections: [
        {
          kind: 'text',
          heading: 'Huit personnes, une bouilloire',
          body: 'The Slow Ferry est né en 2023 dans un train arrêté pendant trois heures avant Falköping. Huit personnes l’écrivent dans huit villes et se retrouvent une fois par an, en bateau.',
        },
        facts('En chiffres', { Numéros: '4 par an', Bureaux: '8', Délais: 'Quelques-uns' }),
      ],
    },
    de: {
      slug: 'ueber-uns',
      title: 'Über uns',
      sections: [
        {
          kind: 'text',
          heading: 'Acht Leute, ein Wasserkocher',
          body: 'The Slow Ferry entstand 2023 in einem Zug, der drei Stunden lang vor Falköping stand. Acht Leute schreiben in acht Städten daran und treffen sich einmal im Jahr, mit dem Schiff.',
        },
        facts('In Zahlen', { Ausgaben: '4 im Jahr', Schreibtische: '8', Termine: 'Einige' }),
      ],
    },
  },
  contribute: {
    en: {
      slug: 'contribute',
      title: 'Write for us',
      sections: [
        {
          kind: 'text',
          heading: 'What we are looking for',
          body: 'Tell us in one page about something you have watched for longer than is reasonable. Do not tell us what it means. Include one exact figure.',
        },
        facts('Before you send it', {
          Length: 'As long as it takes, then a third less',
          Pictures: 'One, with a caption',
          Answer: 'Within a season',
        }),
      ],
    },
  },
}
