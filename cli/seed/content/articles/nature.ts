import type { ArticleSeed } from '../article-seed.js'
import { facts, gallery, quote, quoteOf, related } from '../sections.js'

export const nature: readonly ArticleSeed[] = [
  {
    slug: 'swifts-over-the-car-park',
    title: 'Swifts Over the Car Park',
    summary: 'They sleep in the air, and for eleven weeks a year they live above bay 214.',
    kind: 'essay',
    author: 'ines-baumann',
    category: 'birds',
    tags: ['migration', 'summer', 'neighbours'],
    publishedOn: '2023-07-02',
    body: `They come on the sixth of May, or the seventh, and the man who collects the tickets writes it on the wall of his booth. The dates go back to 1998. Before that, he says, there was another man, and another booth.

A swift that leaves its nest may not touch anything solid for two years. It eats, drinks and sleeps in the air. Then it needs, for eleven weeks, a hole the size of a fist, and it wants the same one as last time. Ours are in the ventilation slots of a multi-storey car park, level four, which is the colour of wet cardboard and has never been called beautiful by anybody.

In the evenings they hunt low between the ramps, in screaming lines, as though late for something. People with shopping trolleys stop. I have seen a man stand with his car door open for ten minutes, with the little chime going, looking up.

When the slots were to be closed with mesh, it was the ticket man who wrote to the council. It was a short letter. He enclosed a photograph of his wall.`,
    cover: { motif: 'sun', alt: 'Dark sickle shapes before an evening sun' },
    sections: [
      facts('The common swift', {
        Weight: '40 grams',
        'Years in the air': 'Up to two without landing',
        Arrives: 'Early May',
        Leaves: 'Late July',
      }),
    ],
  },
  {
    slug: 'the-colour-of-august-rain',
    title: 'The Colour of August Rain',
    summary: 'Why the rain looks silver in spring and white in August, and what a puddle knows.',
    kind: 'essay',
    author: 'pavel-novotny',
    category: 'weather',
    tags: ['water', 'summer', 'light'],
    publishedOn: '2023-08-27',
    body: `Rain has no colour, of course. It borrows. What you see when it rains is whatever is behind the rain, taken apart into short lines and put back together a little to the left.

In April there is bright sky at the edges, because the clouds are torn, and so the lines are silver. In November there is nothing behind but more November. August is the odd one. The ground is warm, the drops are large and far apart, and each of them carries its own small picture of the sun, upside down. From the kitchen window it is white, like chalk being rubbed out.

I was taught this by a puddle. The yard of our institute in Brno has a low spot which the architect regrets, and one August a colleague and I stood over it and saw that every drop, just as it struck, put up a tiny crown with a bright point on it. Thousands of lamps, each lit for the time it takes to say so.

We published a paper. It has a graph. I have always thought that it should have had the puddle.`,
    cover: { motif: 'sea', alt: 'Pale diagonal layers like sheets of rain' },
    sections: [
      quoteOf('pavel-novotny', 'What you see when it rains is whatever is behind the rain.'),
    ],
  },
  {
    slug: 'an-hour-with-a-heron',
    title: 'An Hour With a Heron',
    summary: 'Nothing happened at all, from ten past four until ten past five.',
    kind: 'essay',
    author: 'hugh-penrose',
    category: 'birds',
    tags: ['silence', 'water', 'winter'],
    publishedOn: '2024-02-11',
    body: `Ten past four. A heron stands in the creek below the boatyard on one leg. I sit down on an upturned pram dinghy to see how long it can do that.

Twenty past. It can do that for longer than I can sit on a dinghy. I change over to an old tyre.

Twenty-five to five. The heron turns its head by the width of a coin. My heart leaps, absurdly. It turns it back.

Ten to. I have begun to notice things that were there all the time: that the mud ticks, that the creek breathes in before it fills, that there are two robins, who disagree. I notice that I have been composing a letter to my sister for three weeks, and that it is finished.

Five o’clock. The tide reaches the knee, if that is a knee. Somebody in the yard drops a spanner, and swears, and is sorry.

Ten past five. The heron puts down its other leg, looks at it as if it were news, and flies away, slowly, like someone shaking out a coat. It had caught nothing. I walked home through the wet dark with the sense of having been given a great deal.`,
    cover: { motif: 'hills', alt: 'A still creek between low banks at dusk' },
    related: ['the-lighthouse-keepers-logbook'],
    sections: [
      quoteOf('hugh-penrose', 'The mud ticks, and the creek breathes in before it fills.'),
    ],
  },
  {
    slug: 'the-dark-valley',
    title: 'The Dark Valley',
    summary: 'A community of six hundred switched off its street lamps and found the Milky Way.',
    kind: 'report',
    author: 'ines-baumann',
    category: 'night-sky',
    tags: ['night', 'light', 'neighbours'],
    publishedOn: '2024-10-06',
    featured: true,
    body: `It was a question of money. The street lamps were forty years old, the new ones were expensive, and at the meeting in the gymnasium somebody in the last row said, not entirely seriously, that one could also just leave them off.

They tried it for a winter. The baker bought a head torch. Dogs were given little lights on their collars, so that for a few weeks the lanes were full of low, wandering stars. There was one accident, involving a wheelbarrow.

Then came a clear night in January, and people went out one after the other, because someone had rung them up to say: go outside. I have heard it described by perhaps thirty of them, and all of them look up while they tell it. The older ones remembered it from childhood. The younger ones had thought that it was something to do with photographs.

Now the valley has eleven guesthouses with deckchairs, and an astronomer on Fridays. There are those who find it a bit much. But in the spring they voted again, on whether to put the lamps back, and of six hundred hands the mayor counted four. He asked for them to be counted once more, because, he said, it was rather dark.`,
    notes: [
      'To see in the dark:',
      '- Give your eyes twenty minutes.',
      '- Use a red light if you must use any.',
      '- Look a little to the side of what you want to see.',
    ],
    cover: { motif: 'night', alt: 'The Milky Way over the outline of mountains' },
    gallery: ['one-bulb', 'winter-light'],
    related: ['a-village-that-moved-uphill', 'the-lighthouse-keepers-logbook'],
    sections: [
      quote('The mayor', 'Count them again. It is rather dark.'),
      facts('The valley', {
        Inhabitants: '612',
        'Street lamps': '0',
        'Visible stars': 'About 4,500',
      }),
      related('After dark', 'the-lighthouse-keepers-logbook', 'night-train-to-the-sea'),
    ],
  },
  {
    slug: 'reading-clouds',
    title: 'Reading Clouds',
    summary: 'Three clouds worth knowing by name, and what each of them is about to do.',
    kind: 'guide',
    author: 'pavel-novotny',
    category: 'weather',
    tags: ['light', 'walking', 'measuring'],
    publishedOn: '2024-05-19',
    body: `**The flat-bottomed one.** On a fair morning small white heaps appear, all with their undersides at exactly the same height, as though they stood on a sheet of glass. They do: the glass is the height at which the air of that day becomes too cold to keep its water to itself. If they are wider than they are tall at noon, leave the coat at home. If they are taller, do not.

**The hooked one.** Very high, very thin, like hair combed by somebody in a hurry. It is ice, falling, and the hook is where it meets a slower wind. One or two of them mean nothing. When they come in ranks from the west and begin to join, you have about a day.

**The one that sits on the mountain.** It looks like a lens, or a stack of plates, and does not move. That is a deception. The air is racing through it; only the shape stands still, as a wave does behind a stone in a stream. Do not plan a picnic on that ridge.

There are ten main kinds, and a Latin name for each. But if you can read these three, you can generally tell the other seven by asking yourself which of them they resemble, and whether they look as though they were in a good mood.`,
    cover: { motif: 'hills', alt: 'Rounded white clouds above a plain' },
    related: ['the-colour-of-august-rain'],
    sections: [
      facts('Three names', {
        'Cumulus humilis': 'The flat-bottomed one',
        'Cirrus uncinus': 'The hooked one',
        'Altocumulus lenticularis': 'The one on the mountain',
      }),
    ],
  },
  {
    slug: 'the-river-under-the-road',
    title: 'The River Under the Road',
    summary: 'The city covered its river in 1936. On quiet nights the people above still hear it.',
    kind: 'report',
    author: 'mara-lindqvist',
    category: 'nature',
    tags: ['water', 'sound', 'archives', 'night'],
    publishedOn: '2024-08-18',
    body: `If you lie down on the pavement outside number 17, which I did, at two in the morning, on a folded coat, you can hear it. Not a rushing. A kind of continuous turning over, as of someone in the next room who cannot sleep.

The river was put into a pipe in 1936 because it smelled, and because the tram needed somewhere to go. The engineers were thorough. They moved two bridges and forgot a third, which still stands in a cellar in Brewer Lane, complete with parapet, holding up shelves of jam.

What they could not move is the cold. On summer evenings a ribbon of cooler air lies along the street, exactly as wide as the water was, and the cats know its banks. Rents are a little higher there. The agents say it is the plane trees.

Now there is a plan to let it out again: eight hundred metres, with steps down to it. At the hearing an old man stood up and spoke against. He had lived above it all his life, he said, and had always imagined it a good deal larger.`,
    cover: { motif: 'sea', alt: 'Dark water in smooth bands' },
    gallery: ['harbour-wall', 'one-bulb'],
    related: ['counting-steps-in-lisbon', 'how-to-walk-a-city-without-a-plan'],
    sections: [
      quote('A speaker at the hearing', 'I had always imagined it a good deal larger.'),
      gallery('Above and below', 2, 'harbour-wall', 'one-bulb'),
    ],
  },
  {
    slug: 'the-winter-count',
    title: 'The Winter Count',
    summary: 'Every January, four friends count the same ducks on the same lake in the same rain.',
    kind: 'report',
    author: 'yuki-arden',
    category: 'birds',
    tags: ['winter', 'measuring', 'migration'],
    publishedOn: '2025-01-26',
    body: `There is a method. You divide the lake into four, you each take a quarter, and you count at the same minute, so that no duck is counted twice by having a restless nature. Then you meet under the concrete shelter and compare.

Mr. Oda has the north quarter, where the pochards are, and reports to the single bird. Mrs. Hayashi rounds to tens, and says so. Kenji counts in a whisper, and loses his place, and begins again, and is always last and always right. I photograph, which counts for nothing.

They have done it for twenty-six years. The graph hangs in the community centre: a line that falls, like so many of these lines, from the upper left. But there is a kink in it. In the eighth year the reeds on the west bank were left uncut, because the contractor had hurt his back, and the year after there were teal. The reeds have been left uncut ever since. The contractor is invited every January and brings the thermos.

This winter’s figure: one thousand two hundred and eighteen. Mrs. Hayashi would like it noted that she had one thousand two hundred and twenty.`,
    cover: { motif: 'sea', alt: 'A winter lake with a far, pale shore' },
    related: ['swifts-over-the-car-park', 'an-hour-with-a-heron'],
    sections: [
      facts('This January', { Pochard: '604', Teal: '377', Mallard: '236', Unidentified: '1' }),
    ],
  },
  {
    slug: 'what-the-snow-keeps',
    title: 'What the Snow Keeps',
    summary: 'A pit two metres deep is a calendar, if you have a brush and cold knees.',
    kind: 'essay',
    author: 'ines-baumann',
    category: 'weather',
    tags: ['winter', 'measuring', 'silence'],
    publishedOn: '2025-12-07',
    body: `First you dig a pit as deep as you are tall. Then you smooth one wall of it with a trowel, and with a soft brush you stroke along the wall, and the winter comes out in lines.

The hard grey band is the rain at Christmas. The sugar above it, which runs out under the brush like sand, is the clear week in January. The thin brown thread is the Sahara.

*Still missing: the conversation with the avalanche warden, and a better ending.*`,
    cover: { motif: 'hills', alt: 'White slopes with faint lines in them' },
    draft: true,
  },
]
