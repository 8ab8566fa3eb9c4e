import type { ArticleSeed } from '../article-seed.js'
import { facts, gallery, quote, quoteOf, related } from '../sections.js'

export const making: readonly ArticleSeed[] = [
  {
    slug: 'forty-years-of-the-same-sourdough',
    title: 'Forty Years of the Same Sourdough',
    summary:
      'Émile Rey has never bought yeast. He has, twice, driven home from holiday to feed it.',
    kind: 'interview',
    author: 'leila-haddad',
    category: 'bread',
    tags: ['food', 'craft', 'childhood'],
    publishedOn: '2023-05-14',
    featured: true,
    body: `**Where does it come from?**
From my aunt, in a jam jar, on the bus. She got it from a woman who had a mill. Before that I don’t know. It is like asking where a river comes from: from the next one.

**Is it really the same one?**
No. And yes. There is not a single grain of that flour left in it. But the habits are the same. It is slow on Mondays. It does not like thunder.

**You came back from your holidays for it?**
Twice. The first time my daughter had gone to stay with friends and forgotten. She was fifteen, it was normal. The second time nobody had forgotten anything. I only wanted to see.

**What do you do differently from forty years ago?**
Less. When I was young I did something every hour. I folded, I turned, I worried. Now I mix it and I go for a walk. The bread is better, and so am I.

**Who gets it after you?**
Anyone who brings a jar. Eleven bakeries have it already. I am told that in Lyon it is faster. I said: of course, that’s Lyon.`,
    notes: [
      'To keep a starter of your own:',
      '- One part of it, two of flour, two of water.',
      '- Every day, or in the refrigerator every week.',
      '- It forgives more than you would think.',
    ],
    cover: { motif: 'rings', alt: 'Round shapes like the crust of a loaf' },
    sections: [
      quote('Émile Rey', 'It is like asking where a river comes from: from the next one.'),
    ],
  },
  {
    slug: 'the-chair-that-came-back',
    title: 'The Chair That Came Back',
    summary: 'A repair café, a wobbling chair and the difference between mended and fixed.',
    kind: 'essay',
    author: 'mara-lindqvist',
    category: 'workshop',
    tags: ['repair', 'wood', 'neighbours'],
    publishedOn: '2023-09-10',
    body: `The chair came to the repair café in March with a loose back leg. Bengt glued it. In May it was back with the other back leg. In August it was the seat, and the woman who brought it had begun to bring cake.

We are asked to fill in a form for each object: what was wrong, what was done, whether it was solved. For the chair Bengt has written “solved” three times, each time with the same conviction.

Fixed, he told me while the glue dried, is when a thing goes back to what it was. Mended is when it goes on. You cannot fix a chair that is ninety years old; there is no such chair any more to go back to. You can only mend it, and then you have to expect to see it again.

In November it was the same leg as in March. There was a short silence at the table. Then the woman said that it might be the floor. Bengt put on his coat and walked home with her to look at the floor, and it is quite possible that there was something wrong with it, because it has taken him every Saturday since.`,
    cover: { motif: 'rings', alt: 'Growth rings of a sawn trunk' },
    sections: [
      quote('Bengt', 'Fixed is when a thing goes back to what it was. Mended is when it goes on.'),
    ],
    pending: {
      summary: 'A repair café, a wobbling chair, and what Bengt found under the floor.',
    },
  },
  {
    slug: 'what-a-loom-remembers',
    title: 'What a Loom Remembers',
    summary:
      'In a village above Cusco the patterns are not written down, because they are counted.',
    kind: 'report',
    author: 'rosa-quispe',
    category: 'textiles',
    tags: ['craft', 'childhood', 'measuring'],
    publishedOn: '2023-11-19',
    featured: true,
    body: `My grandmother could not tell you the pattern. If you asked, she laughed, took your hand, and put it on the threads. Three up, one down, two up, turn. The pattern is a number that the fingers say.

A museum came once to record it. They were polite, and had a camera on an arm. She wove for them for two days, a band as wide as a palm, and they filmed the front of it. Afterwards she asked me why they had not filmed the back. Everything that matters, she said, happens at the back. The front is only what comes of it.

The band has two mistakes in it. In our village they are called doors. You put one in on purpose, near the end, so that the weaving can get out and the next one can come in. The second was not on purpose. She had been talking to the cameraman about his mother.

When I sit at her loom today the breast beam is worn in two places, as far apart as her elbows. Mine do not reach. For years I tried to sit so that they would. Now I am wearing two places of my own.`,
    cover: { motif: 'weave', alt: 'Crossing threads in red, ochre and blue' },
    gallery: ['red-band', 'wool-on-a-line'],
    sections: [
      quoteOf('rosa-quispe', 'The pattern is a number that the fingers say.'),
      gallery('The back and the front', 2, 'red-band', 'wool-on-a-line'),
    ],
  },
  {
    slug: 'sharpening-a-knife-slowly',
    title: 'Sharpening a Knife, Slowly',
    summary: 'You need a stone, some water and twenty minutes in which nobody calls.',
    kind: 'guide',
    author: 'hugh-penrose',
    category: 'workshop',
    tags: ['craft', 'repair', 'silence'],
    publishedOn: '2024-01-21',
    body: `Put the stone in water and wait until it stops breathing. The bubbles are not decoration. A dry stone scratches; a wet one thinks.

Lay the blade flat, then lift its back by the height of two stacked coins. Keep that angle. Everything else in this text is advice on how to keep that angle. Push away from yourself, edge first, as though you wanted to shave a very thin slice from the stone. Bring it back without pressing. Your elbows should be doing the work and your wrists should be doing nothing at all.

After some time, and it is never the time you expect, there will be a roughness on the other side of the edge, finer than a hair. That is the burr. It means that you have reached the end of this side of the steel. Turn the knife over and push the burr back where it came from.

Then go lighter. The last ten strokes should weigh no more than the knife.

Test it on a tomato, not on your thumb. If the tomato falls open as if it had been about to do so anyway, wash the stone, dry the knife, and give the tomato to somebody with salt.`,
    notes: ['You need:', '- A stone of about a thousand grit.', '- Two coins.', '- A tomato.'],
    cover: { motif: 'sea', alt: 'Fine lines like those on a whetstone' },
    related: ['the-chair-that-came-back'],
    sections: [facts('At a glance', { Time: '20 minutes', Angle: '15 degrees', Grit: '1000' })],
  },
  {
    slug: 'salt-from-a-small-bay',
    title: 'Salt From a Small Bay',
    summary: 'One family, forty shallow pans and a crop that a single shower can take back.',
    kind: 'report',
    author: 'leila-haddad',
    category: 'kitchen',
    tags: ['food', 'water', 'summer'],
    publishedOn: '2024-06-09',
    body: `You do not make salt, Joana says. You let it. The sea is led in through a wooden gate no bigger than a school slate, and then walked, over three weeks, through forty pans, each a finger shallower than the one before. Sun and wind do the subtracting.

What is asked of a person is mostly not to hurry. If you rake too soon the crystals are small and bitter. If you wait too long it rains. She has a telephone full of weather services, and does not trust any of them as far as she trusts the swallows, who fly low over the pans when the pressure drops, because that is where the flies are.

The first crust of the evening is the best. It forms in the last hour of sun, thin as the skin on milk, and has to be lifted off before the dew. She does it with a tool that her father made from a window frame. The pan below goes pink, then grey, then is simply a mirror, with a woman in it, walking backwards.

Last August they lost nine days’ work in twenty minutes. What do you do then? “You open the gate,” says Joana. “It’s still there. It just went home.”`,
    cover: { motif: 'grid', alt: 'Square salt pans reflecting the sky' },
    gallery: ['salt-pans', 'harbour-wall'],
    related: ['forty-years-of-the-same-sourdough'],
    sections: [
      quote('Joana', 'It’s still there. It just went home.'),
      gallery('From pan to pan', 2, 'salt-pans', 'crates'),
    ],
  },
  {
    slug: 'darning-in-public',
    title: 'Darning in Public',
    summary: 'On the number 12 bus, with a wooden egg: a year of mending where people can see it.',
    kind: 'essay',
    author: 'rosa-quispe',
    category: 'textiles',
    tags: ['repair', 'neighbours', 'craft'],
    publishedOn: '2024-04-28',
    body: `If you read on a bus you are left alone. If you darn on a bus, people sit down next to you.

I started because the ride is fifty minutes and my jumper had elbows. By the second week a boy of about seven wanted to know whether I was making a hole or closing one. It is a fair question; at the beginning of a darn it looks like both. I let him hold the egg. His grandmother said that her mother had owned one exactly like it, of olive wood, and then for three stops she said nothing at all.

In a year I have been shown a heel turned in 1962, a pocket lined with a flag, and a glove that had been mended so often that there was, its owner said proudly, no glove left in it. I have been told that it is not worth it, always by somebody who went on watching.

The trick is to use a thread of another colour. If you try to hide a mend, the eye goes looking for it. If you show it, the eye says good morning and moves on.`,
    cover: { motif: 'weave', alt: 'A darn in yellow on blue cloth' },
    related: ['the-chair-that-came-back', 'what-a-loom-remembers'],
    sections: [
      quoteOf('rosa-quispe', 'If you try to hide a mend, the eye goes looking for it.'),
      related('More mending', 'the-chair-that-came-back'),
    ],
  },
  {
    slug: 'a-boat-in-the-living-room',
    title: 'A Boat in the Living Room',
    summary: 'He measured everything except the door. An account of a winter project.',
    kind: 'report',
    author: 'tomas-okafor',
    category: 'workshop',
    tags: ['wood', 'winter', 'neighbours'],
    publishedOn: '2025-03-09',
    body: `Rui will say at once, before you can, that he knows about the door.

He began the dinghy in November because the shed was cold and the living room was empty; the sofa had gone with the marriage. He is a careful man. The plans were drawn for a boat of three metres twenty, the room is four metres ten. He allowed for the planks, for himself walking round the planks, and for a small table with a radio. By February she was planked, and beautiful, and everyone in the building had been up to see her.

It was the girl from the second floor who asked how he would get it out.

There has since been a series of meetings. The window is a little larger than the door, but faces the tram wires. The engineer from the fourth floor has made a drawing in which the balcony is temporarily elsewhere. The landlord, who was expected to be difficult, came to look, ran his hand along the gunwale for quite some time, and said that walls are only opinions.

They have fixed the date for the first Sunday in May. Everybody is bringing something: ropes, mattresses, a trumpet. Rui has decided on the name. She will be called *Excuse Me*.`,
    cover: { motif: 'rings', alt: 'Bent planks following one another' },
    related: ['the-chair-that-came-back', 'darning-in-public'],
    sections: [
      quote('The landlord', 'Walls are only opinions.'),
      facts('Measurements', {
        Room: '4.10 metres',
        Boat: '3.20 metres',
        Door: '0.78 metres',
        'Beam of the boat': '1.34 metres',
      }),
    ],
  },
  {
    slug: 'soup-for-thirty',
    title: 'Soup for Thirty',
    summary: 'Cooking for a crowd is not cooking for four, seven and a half times.',
    kind: 'guide',
    author: 'leila-haddad',
    category: 'kitchen',
    tags: ['food', 'neighbours', 'winter'],
    publishedOn: '2025-01-12',
    body: `The onions are the same. Everything else changes.

Thirty people do not eat seven and a half times as much as four. They talk more, for one thing. Reckon with a ladle and a half each, and put the rest of your worry into bread. Salt does not multiply either: start with half of what arithmetic tells you, and get to the other half by tasting, in the last ten minutes, with somebody whose mouth you trust.

Cut things smaller than at home. A big pot is slow at the start and unstoppable at the end, and small pieces are how you keep a hand on it. Chickpeas hold. Potatoes hold until they don’t, and then they thicken, which is not a tragedy if you call it by the right name.

Never fill the pot above the rivets. You will have to carry it, and there will be a step.

Finally, leave one thing undone. Let somebody chop the parsley at the table. People who have been given a job eat better, stay longer, and know where the tea towels are.`,
    notes: [
      'For thirty:',
      '- Four kilos of onions, carrots and celery together.',
      '- Three kilos of soaked chickpeas.',
      '- Eight lemons, at the end.',
    ],
    cover: { motif: 'sun', alt: 'A round golden shape, like a pot seen from above' },
    related: ['forty-years-of-the-same-sourdough', 'salt-from-a-small-bay'],
    sections: [facts('The pot', { Holds: '20 litres', 'Fill to': 'The rivets', Serves: '30' })],
  },
  {
    slug: 'a-bakery-with-no-sign',
    title: 'A Bakery With No Sign',
    summary: 'You find it by the queue, and you find the queue by the smell.',
    kind: 'report',
    author: 'leila-haddad',
    category: 'bread',
    tags: ['food', 'neighbours'],
    publishedOn: '2025-06-15',
    body: `To be checked with Émile before it goes out: is it eleven bakeries by now, or twelve?

There is a door, painted the green of all back doors, and at six in the morning there are people in front of it. None of them can say how they first heard of it. One woman says that she followed a dog.

Inside are two sisters and one oven. They bake a single kind of bread, in a single size, until there is none left, and then they wash the floor. Why is there no sign? The older one shrugs. They had one ordered, it was spelled wrong, and by the time it came back they had noticed that nobody needed it.`,
    cover: { motif: 'rings', alt: 'Ovals of light on a dark ground' },
    related: ['forty-years-of-the-same-sourdough'],
    draft: true,
  },
]
