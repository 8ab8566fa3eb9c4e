import type { ArticleSeed } from '../article-seed.js'
import { facts, gallery, quote, quoteOf, related } from '../sections.js'

export const places: readonly ArticleSeed[] = [
  {
    slug: 'the-last-ferry-of-october',
    title: 'The Last Ferry of October',
    summary:
      'When the summer timetable ends, an island of two hundred people becomes an island again.',
    kind: 'report',
    author: 'tomas-okafor',
    category: 'islands',
    tags: ['water', 'small-islands', 'winter'],
    publishedOn: '2023-10-31',
    featured: true,
    body: `The crew do not announce it. There is no horn, no speech, only Anders in the wheelhouse taking down the laminated timetable and folding it in half, because the laminate will not bend any further than that. From tomorrow the boat runs on Tuesdays and Fridays, weather permitting, and the weather rarely does.

On deck are nine passengers, a washing machine, four sacks of potatoes and a cello. The cello belongs to the new schoolteacher. Everybody has asked her what she will do on the island all winter, and she has begun to answer: “The same as you.” It is the right answer. By the time we round the skerry someone has lent her a key to the boathouse, where the acoustics are said to be good when the tide is out.

The summer people imagine that the island falls asleep now. It is closer to the opposite. The choir starts. The road is mended. Arguments that were put off in June, because there was hay to bring in and there were guests to feed, are taken up at the exact word where they stopped.

I ask Anders whether he minds the quiet boat. He thinks about it through two whole buoys. “In July I carry people,” he says. “In November I carry someone.”`,
    notes: [
      'The winter boat sails on Tuesdays and Fridays, unless the wind is above seventeen metres a second.',
      '- The shop opens when the boat comes in.',
      '- The library is in the shop.',
    ],
    cover: { motif: 'sea', alt: 'A grey sea in layers, with a low sun behind it' },
    gallery: ['harbour-wall', 'winter-light'],
    sections: [
      quote('Anders, ferryman', 'In July I carry people. In November I carry someone.'),
      facts('The crossing', { Distance: '11 nautical miles', Duration: '70 minutes', Crew: '3' }),
      gallery('From the upper deck', 2, 'harbour-wall', 'winter-light'),
    ],
  },
  {
    slug: 'counting-steps-in-lisbon',
    title: 'Counting Steps in Lisbon',
    summary: 'A city of seven hills has thousands of public stairs. One man is counting them all.',
    kind: 'essay',
    author: 'tomas-okafor',
    category: 'cities',
    tags: ['walking', 'measuring', 'neighbours'],
    publishedOn: '2023-04-16',
    body: `Senhor Valdemar counts with his lips. He does not use the clicker his granddaughter bought him, because a clicker, he says, counts clicks. A step is only counted when both feet have stood on it.

He began in the spring after he retired from the trams. The city publishes a list of its public stairways, but it does not publish how many steps each one has, and it struck him that nobody knew. “Somebody laid each one,” he told me. “It seemed rude.” Seven years later his notebooks hold two hundred and nineteen stairways, in pencil, with corrections. Some have lost a step to a new pavement. One has gained a step, and nobody in the street can say when.

I walked with him on a Thursday. He greets the steps the way one greets neighbours, without stopping but never without a nod. Halfway up he rests on number sixty-two, always sixty-two, because there is a window there with a canary.

What is the total? He will not tell me. When the last stairway is done he means to walk down the hill, sit by the river and add it up, once, in ink.`,
    cover: { motif: 'city', alt: 'Stepped roofs of a hillside city in the morning' },
    sections: [quote('Senhor Valdemar', 'A step is only counted when both feet have stood on it.')],
    pending: {
      title: 'Counting Every Step in Lisbon',
      summary:
        'A city of seven hills, two hundred and nineteen stairways, and one man with a pencil.',
    },
  },
  {
    slug: 'a-village-that-moved-uphill',
    title: 'A Village That Moved Uphill',
    summary:
      'After the third flood the people of a valley took their houses apart and carried them.',
    kind: 'report',
    author: 'ines-baumann',
    category: 'mountains',
    tags: ['water', 'wood', 'neighbours', 'archives'],
    publishedOn: '2023-06-04',
    body: `The numbers are still on the beams. If you know where to look, behind the stove or under the eaves, each timber in the village carries a Roman numeral, cut with a chisel in the autumn of 1889 so that forty houses could be taken down in the valley and put up again on the terrace, ninety metres higher.

It took two summers. The church came first, because the bell was needed to call people to work, and the inn came second, because of the work. Families carried the roof shingles themselves, on their backs, the way they carried hay. The parish book records the weight of everything and the temper of everyone.

Not all the numbers were read correctly. The Hallers have a door that opens into a wall. The Gruber house is a mirror image of what it was, and four generations of Grubers have learned to describe it by turning round first.

Below, where the village used to be, the river has the meadow to itself. In dry Augusts the outlines of the cellars show through the grass as pale rectangles. Children are sent down to stand in their great-great-grandparents’ kitchens, and told to notice how wet their shoes are.`,
    cover: { motif: 'hills', alt: 'Mountain ridges one behind the other, blue to green' },
    sections: [
      facts('The move', {
        Houses: '40',
        Years: '1889 to 1890',
        'Height gained': '90 metres',
        'Beams lost': '1',
      }),
    ],
  },
  {
    slug: 'the-lighthouse-keepers-logbook',
    title: 'The Lighthouse Keeper’s Logbook',
    summary: 'Thirty-one volumes of weather, oil and one unexplained sentence about a piano.',
    kind: 'essay',
    author: 'hugh-penrose',
    category: 'coast',
    tags: ['light', 'archives', 'night'],
    publishedOn: '2023-08-20',
    body: `For forty-four years the entry is the same length: two lines. Wind, sea, visibility, oil consumed, lamp lit, lamp put out. The hand changes four times, the length never does. One imagines each new keeper opening the book, seeing how it was done, and doing it.

Then, on the ninth of February 1911, a third line. “Piano came ashore. Two notes still good.”

Nothing before and nothing after explains it. No wreck is recorded that week on this coast. The archive has searched, in a thorough and slightly embarrassed way, the manifests of eleven ships. On the tenth of February there are two lines again, and the oil consumption is a little high, as though somebody had sat up.

I have spent more time with that sentence than with most novels. I like that he counted the notes. I like that he did not say which. And I like to think that for a while after, on nights when the beam went round over an empty sea, there was in the lamp room, at the edge of the light, a man going back and forth between the two.`,
    cover: { motif: 'night', alt: 'A beam of light across a night sky with stars' },
    related: ['counting-steps-in-lisbon'],
    sections: [
      quoteOf(
        'hugh-penrose',
        'I like that he counted the notes. I like that he did not say which.',
      ),
      related('More from the archives', 'a-village-that-moved-uphill'),
    ],
  },
  {
    slug: 'night-train-to-the-sea',
    title: 'Night Train to the Sea',
    summary: 'Eleven hours, six berths and the particular honesty of people in pyjamas.',
    kind: 'essay',
    author: 'mara-lindqvist',
    category: 'coast',
    tags: ['trains', 'night', 'summer'],
    publishedOn: '2024-07-07',
    featured: true,
    body: `Somewhere after Linz the man in the middle berth tells us that he has never learned to swim. He says it to the ceiling, which is thirty centimetres from his face. He is fifty-eight. He has booked a week by the sea in order to learn, and has told his family that it is a conference.

A sleeping compartment is the last public room in which strangers are horizontal together, and it changes what they say. On a plane nobody tells you anything. In a café you would have to look at each other. Here there is the dark, the rails, and a small blue lamp that nobody can find the switch for.

The woman below him says that you learn to float first, and that floating is mostly believing. The student opposite says that salt water helps. For a while we all give advice on swimming to a man whose face we have hardly seen.

In the morning the blind goes up and there it is, flat and silver and much closer to the track than seems wise. Nobody speaks. We fold our sheets. On the platform he shakes hands with each of us, formally, and then walks off in the direction of the water with his shoes already in his hand.`,
    notes: [
      'Bring earplugs, slippers and something to share.',
      '- The middle berth is the quietest.',
      '- The sea is on the left.',
    ],
    cover: { motif: 'sun', alt: 'A pale sun coming up over flat water' },
    gallery: ['platform-at-six', 'winter-light'],
    related: ['the-last-ferry-of-october'],
    sections: [
      quote('A passenger, somewhere after Linz', 'Floating is mostly believing.'),
      gallery('Arriving', 2, 'platform-at-six', 'harbour-wall'),
    ],
  },
  {
    slug: 'how-to-walk-a-city-without-a-plan',
    title: 'How to Walk a City Without a Plan',
    summary: 'Five rules for getting lost well, tested in Kanazawa, Trieste and Leeds.',
    kind: 'guide',
    author: 'yuki-arden',
    category: 'cities',
    tags: ['walking', 'light', 'silence'],
    publishedOn: '2024-03-10',
    body: `**Follow the shade.** In summer the shaded side of the street decides for you. In winter, follow the sun. Either way you are letting the hour choose, and the hour has been here longer than the guidebook.

**Turn where somebody has swept.** A swept doorstep is a sentence addressed to the street. People who sweep will also tell you where the good noodles are.

**Carry one errand.** Not ten. Decide to buy a pencil, and refuse to buy it until you have found a shop that you would be sorry to have missed. I once walked for six hours in Trieste on the strength of a pencil.

**Do not photograph the first hour.** I say this as a photographer. The first hour is for the ears. After that the eyes know what they are looking at.

**Go home the way you came.** It is a different city in that direction. The hills are on the other side, the light has moved, and the man who was opening his shutters is closing them, and this time he nods.`,
    notes: [
      'What to take:',
      '- Shoes you have already argued with.',
      '- A coin for the telephone that is no longer there.',
      '- Nothing that needs charging.',
    ],
    cover: { motif: 'city', alt: 'Windows of a city block, a few of them lit' },
    related: ['counting-steps-in-lisbon'],
    sections: [
      facts('In short', { Time: 'Six hours', Cost: 'One pencil', Difficulty: 'Letting go' }),
    ],
  },
  {
    slug: 'the-hut-with-no-road',
    title: 'The Hut With No Road',
    summary: 'Gerda Moser has carried everything in her kitchen up the mountain herself, twice.',
    kind: 'interview',
    author: 'ines-baumann',
    category: 'mountains',
    tags: ['walking', 'food', 'winter'],
    publishedOn: '2024-09-15',
    body: `**Why twice?**
The first kitchen burned down in ’96. The stove survived, so I only had to carry the rest.

**How heavy was the heaviest thing?**
The stove. But that was my grandfather, in pieces, with a mule. I have only ever carried the door of it, to have it welded. Twenty-six kilos. You lean forward and think about your feet.

**Would a road not be easier?**
For whom? People come up here because there is no road. If there were one they would drive up, look at the view, say that it is lovely, and drive down. Now they arrive and they have earned their soup. I can see it in how they hold the bowl.

**What do you do when nobody comes?**
In the fog? I polish the windows. It sounds foolish. But the fog goes when it likes, and then you want to be ready.

**What would you still like to have up here?**
She looks around the room for some time.
A second chair like that one. But I would have to like it enough to carry it.`,
    cover: { motif: 'hills', alt: 'A ridge in fog, with one darker peak' },
    related: ['a-village-that-moved-uphill'],
    sections: [
      quote('Gerda Moser', 'They arrive and they have earned their soup.'),
      facts('The hut', { Altitude: '2,140 metres', Beds: '18', 'From the valley': '3 hours' }),
    ],
  },
  {
    slug: 'a-market-before-dawn',
    title: 'A Market Before Dawn',
    summary: 'At half past three in the morning Marseille is awake in exactly one place.',
    kind: 'report',
    author: 'leila-haddad',
    category: 'cities',
    tags: ['food', 'night', 'neighbours'],
    publishedOn: '2024-11-24',
    body: `Nobody shouts. That is the first surprise. The market that the city eats from is run at the level of a library, by men and women who have done this for so long that a lifted chin is an order for forty crates.

Nadia sells herbs, and only herbs. She has one light bulb, hung low, so that the mint looks as though it were lit from inside. She knows the restaurants by their moods. “This one had bad reviews,” she says, bundling coriander, “so he buys too much. When people are unhappy they put green on everything.”

At five the bakers come through with the first loaves, and for a quarter of an hour all trade stops. You may not buy while others eat; it is not written anywhere. I am given bread, a tomato and a folding knife, and shown where to stand so that I am not in the way of the trolleys.

By seven it is over. Water runs down the concrete, the bulb is unscrewed and put in a coat pocket. In the street people are queueing for the tram, with faces on which the day has not yet been written, and somewhere among them walk forty crates of aubergines, on their way to becoming lunch.`,
    cover: { motif: 'sun', alt: 'A warm light low over dark stalls' },
    gallery: ['crates', 'one-bulb'],
    sections: [gallery('Half past four', 2, 'crates', 'one-bulb')],
  },
  {
    slug: 'how-to-read-a-tide-table',
    title: 'How to Read a Tide Table',
    summary: 'Four columns of figures that tell you when the world will be wider than usual.',
    kind: 'guide',
    author: 'pavel-novotny',
    category: 'coast',
    tags: ['water', 'measuring'],
    publishedOn: '2025-02-02',
    body: `A tide table has four columns: the day, the time, the height, and the one that nobody explains, which is the difference between the last two heights. Learn to read that one and you can put the others away.

When the difference is large, the moon and the sun are pulling along the same line. These are springs, and they have nothing to do with the season. The sea goes out further than it should and comes back the same way. This is the week for walking to the island, and for looking at your watch while you do.

When it is small they pull at right angles and undo each other’s work. These are neaps. Harbours look bored. It is a good week for painting a boat.

The time is given for the port printed at the top of the page. You are not at that port. Every fisherman knows the correction for his own beach by heart and will tell you if you ask, usually to the minute, and always as if it were obvious.

One more thing. The table is a prediction, made years ahead, of the pull of the sky. It knows nothing of the wind. Three days of south-westerlies can add half a metre to any number on the page. The figures are printed in black so that you will remember to look up from them.`,
    notes: [
      'Before you walk out:',
      '- Turn back at half of the time you have, not at the end of it.',
      '- Tell someone.',
      '- Count the tides, not the hours.',
    ],
    cover: { motif: 'sea', alt: 'Bands of wet sand and shallow water' },
    related: ['the-last-ferry-of-october', 'counting-steps-in-lisbon'],
    sections: [
      facts('Words', {
        Springs: 'The widest tides, after full and new moon',
        Neaps: 'The narrowest, after the half moons',
        Slack: 'The few minutes in which nothing moves',
      }),
      related('Read on the way', 'the-last-ferry-of-october'),
    ],
  },
]
