import type { ArticleSeed } from '../article-seed.js'
import { facts, quote, quoteOf, related } from '../sections.js'

export const ideas: readonly ArticleSeed[] = [
  {
    slug: 'words-for-the-wind',
    title: 'Words for the Wind',
    summary: 'Bora, tramontana, föhn: winds that have a name are blamed for more.',
    kind: 'essay',
    author: 'pavel-novotny',
    category: 'language',
    tags: ['sound', 'neighbours', 'measuring'],
    publishedOn: '2023-03-19',
    body: `In Trieste they stretch ropes along certain streets so that people may hold on when the bora comes. Nobody has ever stretched a rope against “wind from the east-north-east, strong”. First a wind needs a name, then it gets a rope.

A wind that has been named begins to have a character. The mistral is nervous and clean. The föhn gives people headaches in towns where it does not blow. The sirocco has been heard in court, in mitigation. Meteorologists have measured all of them, and they are right in everything they say, and it does not help.

I collect the small ones. On one lake there is a breeze which comes down a side valley at six in the evening, ruffles a patch of water no larger than a football pitch, and leaves. The people on that shore call it “the postman”. On the opposite shore, four kilometres away, they have never heard of it, but they have one of their own, that dries the washing and is named after a widow.

My own street has a corner at which your hat comes off. We have lived here for nine years, and last week my daughter, holding hers on, said: “Oh, it’s him.”`,
    cover: { motif: 'sea', alt: 'Curved lines like moving air' },
    sections: [
      facts('Some winds', {
        Bora: 'Trieste; cold, in gusts, needs ropes',
        Mistral: 'The Rhône; dry, lasts three, six or nine days',
        'The postman': 'One shore of one lake, at six',
      }),
    ],
  },
  {
    slug: 'the-map-that-was-wrong-on-purpose',
    title: 'The Map That Was Wrong on Purpose',
    summary: 'Cartographers used to hide a street that did not exist. Then somebody moved there.',
    kind: 'essay',
    author: 'pavel-novotny',
    category: 'maps',
    tags: ['archives', 'measuring'],
    publishedOn: '2023-12-10',
    featured: true,
    body: `A map takes ten years to make and an afternoon to copy. So the makers of maps learned to sign them where nobody would look: a bend too many in a brook, a lane between two gardens, a hamlet named after somebody’s dog. If the dog turned up in a rival’s map, one knew.

On the sheet for our district, in the edition of 1931, there is a short street called Lindengasse. It runs from the brewery to the canal, and it is not there. My father, who drew for the survey office as an apprentice, knew the man who had invented it; he had wanted to give his wife a street.

After the war there was a housing shortage, and a new official with an old map. He allotted a couple with two children a plot at number 4. They went to look for it. Being sensible people, they found the place where it ought to have been, put up a hut between the brewery and the canal, and painted the number on it themselves.

Others came. There are eleven houses in Lindengasse today, and a lime tree. It has been on every map since 1952, and, as far as I have been able to find out, it is the only correct one that was ever copied from a mistake.`,
    cover: { motif: 'grid', alt: 'A plan of blocks with one street too many' },
    related: ['words-for-the-wind', 'counting-steps-in-lisbon'],
    sections: [
      quoteOf('pavel-novotny', 'A map takes ten years to make and an afternoon to copy.'),
      related('Other measurements', 'counting-steps-in-lisbon'),
    ],
    pending: { title: 'The Street That Was Wrong on Purpose' },
  },
  {
    slug: 'noon-was-local',
    title: 'When Noon Was Local',
    summary: 'Before the railways each town had its own twelve o’clock, and was late for nothing.',
    kind: 'essay',
    author: 'hugh-penrose',
    category: 'time',
    tags: ['trains', 'archives', 'light'],
    publishedOn: '2024-04-07',
    body: `When the sun stood highest over the church it was noon, and that was that. A dozen miles to the west it was noon a minute later. Nobody minded, since nobody could get there in a minute.

Then came the railway, which could. A timetable cannot be printed in two hundred noons. For some years large stations had a clock with two minute hands, one for here and one for London, and travellers were asked to choose. In our town they held out until 1852. There is a petition, with four hundred signatures, against “the abolition of twelve”.

What was abolished was small: twenty minutes, in our case. But I have a friend who has set the clock in his workshop by the sun ever since he read that petition, and I can report that it is agreeable to visit him. One arrives twenty minutes early. There is always time to sit on the wall.

He says that he has never understood why it is called *saving* time, when everybody simply hands it in.`,
    cover: { motif: 'sun', alt: 'A high sun with rays like the marks of a dial' },
    related: ['the-lighthouse-keepers-logbook'],
    sections: [
      facts('Noon, by the sun', {
        Norwich: '5 minutes before London',
        Oxford: '5 minutes after',
        Falmouth: '20 minutes after',
      }),
    ],
  },
  {
    slug: 'a-dictionary-of-small-noises',
    title: 'A Dictionary of Small Noises',
    summary: 'Japanese has a word for the sound of snow. English makes do with very few.',
    kind: 'review',
    author: 'yuki-arden',
    category: 'language',
    tags: ['sound', 'winter', 'silence'],
    publishedOn: '2024-12-15',
    body: `My mother’s language has a word for snow that falls thickly and without a sound: *shinshin*. It is an imitation of a noise that is not there. My father’s language, which is English, has *pitter-patter*, and after that one is rather on one’s own.

The dictionary under review lists two thousand one hundred such words from forty languages. It is the work of a retired piano tuner in Bergen and it is, let us say, not scientific. There is no entry for thunder, since “this is sufficiently known”. There are four pages on the sounds that a house makes when it believes itself alone.

I was won over by the cross-references. *Creak, of stairs: see Uncle.* *Silence: see Snow; see also Disagreement.* Some of them lead in a circle, so that you may set out from a dripping tap and get back to it twenty minutes later by way of Estonia.

It costs too much and the binding cracks, though it does so, to be fair, with a noise that is described with great precision on page 88.`,
    cover: { motif: 'night', alt: 'Snow falling through a dark blue evening' },
    related: ['words-for-the-wind', 'an-hour-with-a-heron'],
    sections: [
      quote('From the dictionary', 'Silence: see Snow; see also Disagreement.'),
      facts('The book', { Words: '2,100', Languages: '40', 'Entries on thunder': 'None' }),
    ],
  },
  {
    slug: 'the-slowest-clock',
    title: 'The Slowest Clock',
    summary: 'Its only hand goes round once in a hundred years. Someone still has to wind it.',
    kind: 'interview',
    author: 'mara-lindqvist',
    category: 'time',
    tags: ['craft', 'measuring', 'silence'],
    publishedOn: '2025-04-13',
    featured: true,
    body: `**You have been the winder since 2009. What does that involve?**
Every Sunday, eleven turns. Then I sit with it for a bit. It seems impolite to go at once.

**Can you see the hand move?**
Nobody can see it. But there is a spider that builds between the hand and the quarter mark, and each spring she starts from a slightly different place. So one of us notices.

**What is a clock good for that cannot tell you whether you are late?**
It can. We are at about a quarter past. I find that is useful to know.

**Who built it?**
Three schoolteachers. They had a bet about whether the town would keep anything going for a hundred years. They are all dead now, so I suppose that everyone has won so far.

**Do you ever forget?**
Once. I was in hospital. I lay there on the Sunday and thought: now it will stop, and it will be my name in the book. On Monday the boy from the kiosk came to see me. He had done it. He had gone in by the window. Eleven turns, he said, and then he had sat for a bit.`,
    cover: { motif: 'rings', alt: 'Rings around a single hand' },
    related: ['noon-was-local', 'the-chair-that-came-back'],
    sections: [
      quote('The winder', 'Then I sit with it for a bit. It seems impolite to go at once.'),
      facts('The clock', { 'Turns a week': '11', Hands: '1', 'Goes round in': '100 years' }),
      related('On time', 'noon-was-local'),
    ],
  },
  {
    slug: 'drawing-the-way-home',
    title: 'Drawing the Way Home',
    summary:
      'Thirty children were asked for a map of the walk to school. None of them drew the road.',
    kind: 'report',
    author: 'rosa-quispe',
    category: 'maps',
    tags: ['childhood', 'walking', 'neighbours'],
    publishedOn: '2025-05-11',
    body: `The paper was large, the pencils were soft, and the question was how you get home. I had expected streets.

Flor drew nine dogs, in the order in which one meets them, with arrows for whether they bark. Between the dogs there is nothing. It is the most exact map I have ever used: I walked it, and lost my way only at the seventh, who was asleep.

Edison drew a staircase, although there are no stairs. It turned out that these were the days of the week; he takes a different way on each of them. Luz drew one tree, filling the whole sheet, and a house among its roots no bigger than a bean. From the school you see the tree, she explained, and so you don’t need the rest.

Nobody drew north. Nobody drew the road, which is the one thing that all of them walk on. When I asked about it they were kind to me. The road, they said, is *where you are*. You don’t put that on.

I have pinned Flor’s map above my desk, next to the one from the survey. The survey has contour lines every twenty metres, and does not have a single dog.`,
    cover: { motif: 'grid', alt: 'A child’s plan in coloured fields' },
    gallery: ['nine-dogs', 'red-band'],
    related: ['the-map-that-was-wrong-on-purpose', 'what-a-loom-remembers'],
    sections: [
      quote('Luz, aged eight', 'You see the tree, and so you don’t need the rest.'),
      related('Other maps', 'the-map-that-was-wrong-on-purpose'),
    ],
  },
]
