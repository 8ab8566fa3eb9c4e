import type { ArticleTranslation } from '../article-seed.js'
import { facts, quote, quoteOf } from '../sections.js'

export const french: readonly ArticleTranslation[] = [
  {
    of: 'the-last-ferry-of-october',
    slug: 'le-dernier-ferry-d-octobre',
    title: 'Le dernier ferry d’octobre',
    summary: 'Quand finit l’horaire d’été, une île de deux cents habitants redevient une île.',
    body: `L’équipage ne l’annonce pas. Ni corne de brume, ni discours : seulement Anders, dans la timonerie, qui décroche l’horaire plastifié et le plie en deux, parce que le plastique ne se laisse pas plier davantage. À partir de demain, le bateau part le mardi et le vendredi, si le temps le permet, et le temps le permet rarement.

Sur le pont, il y a neuf passagers, une machine à laver, quatre sacs de pommes de terre et un violoncelle. Le violoncelle est celui de la nouvelle institutrice. Tout le monde lui a demandé ce qu’elle ferait sur l’île tout l’hiver, et elle s’est mise à répondre : « La même chose que vous. » C’est la bonne réponse. Avant que nous ayons doublé le récif, quelqu’un lui a prêté la clef du hangar à bateaux, dont l’acoustique passe pour bonne à marée basse.

Les gens de l’été s’imaginent que l’île s’endort. Ce serait plutôt l’inverse. La chorale reprend. On répare la route. Les disputes remises en juin, parce qu’il y avait les foins et les invités à nourrir, reprennent au mot exact où elles s’étaient arrêtées.

Je demande à Anders si le bateau vide lui pèse. Il y réfléchit le temps de deux bouées. « En juillet, je transporte des gens, dit-il. En novembre, je transporte quelqu’un. »`,
    notes: [
      'Le bateau d’hiver part le mardi et le vendredi, sauf si le vent dépasse dix-sept mètres par seconde.',
      '- Le magasin ouvre quand le bateau arrive.',
      '- La bibliothèque est dans le magasin.',
    ],
    sections: [
      quote('Anders, capitaine', 'En juillet, je transporte des gens. En novembre, quelqu’un.'),
      facts('La traversée', {
        Distance: '11 milles nautiques',
        Durée: '70 minutes',
        Équipage: '3',
      }),
    ],
  },
  {
    of: 'forty-years-of-the-same-sourdough',
    slug: 'quarante-ans-du-meme-levain',
    title: 'Quarante ans du même levain',
    summary:
      'Émile Rey n’a jamais acheté de levure. Deux fois, il est rentré de vacances pour nourrir la sienne.',
    body: `**D’où vient-il ?**
De ma tante, dans un pot de confiture, en autocar. Elle le tenait d’une femme qui avait un moulin. Avant cela, je ne sais pas. C’est comme demander d’où vient une rivière : de la précédente.

**Est-ce vraiment le même ?**
Non. Et oui. Il n’y reste plus un grain de cette farine-là. Mais les habitudes sont les mêmes. Il est lent le lundi. Il n’aime pas l’orage.

**Vous êtes rentré de vacances pour lui ?**
Deux fois. La première, ma fille était partie chez des amies et l’avait oublié. Elle avait quinze ans, c’était normal. La seconde, personne n’avait rien oublié. Je voulais seulement voir.

**Que faites-vous autrement qu’il y a quarante ans ?**
Moins. Jeune, je faisais quelque chose toutes les heures. Je rabattais, je retournais, je m’inquiétais. Maintenant je pétris et je vais me promener. Le pain est meilleur, et moi aussi.

**Qui l’aura après vous ?**
Quiconque apporte un pot. Onze boulangeries l’ont déjà. On me dit qu’à Lyon il est plus rapide. J’ai répondu : évidemment, c’est Lyon.`,
    sections: [
      quote('Émile Rey', 'C’est comme demander d’où vient une rivière : de la précédente.'),
    ],
  },
  {
    of: 'a-market-before-dawn',
    slug: 'un-marche-avant-l-aube',
    title: 'Un marché avant l’aube',
    summary: 'À trois heures et demie du matin, Marseille n’est éveillée qu’à un seul endroit.',
    body: `Personne ne crie. C’est la première surprise. Le marché dont vit la ville se tient à voix de bibliothèque, entre des hommes et des femmes qui font cela depuis si longtemps qu’un menton levé vaut commande de quarante cageots.

Nadia vend des herbes, rien que des herbes. Elle n’a qu’une ampoule, pendue bas, si bien que la menthe semble éclairée de l’intérieur. Elle connaît les restaurants à leur humeur. « Celui-ci a eu de mauvaises critiques, dit-elle en liant la coriandre, alors il achète trop. Quand les gens sont malheureux, ils mettent du vert partout. »

À cinq heures, les boulangers passent avec les premiers pains, et pendant un quart d’heure tout commerce cesse. On n’achète pas pendant que les autres mangent ; ce n’est écrit nulle part. On me donne du pain, une tomate et un couteau de poche, et l’on me montre où me tenir pour ne pas gêner les diables.

À sept heures, tout est fini. L’eau coule sur le béton, l’ampoule est dévissée et glissée dans une poche. Dans la rue, on attend le tram avec des visages où le jour n’a encore rien écrit, et quelque part parmi eux s’en vont quarante cageots d’aubergines, en train de devenir le déjeuner.`,
  },
  {
    of: 'the-lighthouse-keepers-logbook',
    slug: 'le-journal-du-gardien-de-phare',
    title: 'Le journal du gardien de phare',
    summary:
      'Trente et un volumes de temps, d’huile, et une phrase inexpliquée à propos d’un piano.',
    body: `Pendant quarante-quatre ans, la note a la même longueur : deux lignes. Vent, mer, visibilité, huile consommée, lampe allumée, lampe éteinte. L’écriture change quatre fois, la longueur jamais. On imagine chaque nouveau gardien ouvrant le livre, voyant comment on faisait, et le faisant.

Puis, le neuf février 1911, une troisième ligne. « Piano échoué sur la grève. Deux notes encore bonnes. »

Rien avant, rien après ne l’explique. Aucun naufrage n’est signalé cette semaine-là sur la côte. Les archives ont dépouillé, avec soin et un peu de gêne, les manifestes de onze navires. Le dix février, on revient à deux lignes, et la consommation d’huile est un peu élevée, comme si quelqu’un avait veillé.

J’ai passé plus de temps avec cette phrase qu’avec la plupart des romans. J’aime qu’il ait compté les notes. J’aime qu’il n’ait pas dit lesquelles. Et j’aime à penser que, certaines nuits où le faisceau tournait sur une mer vide, il y avait dans la chambre de la lampe, au bord de la lumière, un homme qui allait de l’une à l’autre.`,
    sections: [
      quoteOf(
        'hugh-penrose',
        'J’aime qu’il ait compté les notes. J’aime qu’il n’ait pas dit lesquelles.',
      ),
    ],
  },
  {
    of: 'the-slowest-clock',
    slug: 'l-horloge-la-plus-lente',
    title: 'L’horloge la plus lente',
    summary:
      'Son unique aiguille fait un tour en cent ans. Encore faut-il que quelqu’un la remonte.',
    body: `**Vous la remontez depuis 2009. En quoi cela consiste-t-il ?**
Le dimanche, onze tours. Puis je reste un moment avec elle. Il serait impoli de partir tout de suite.

**Voit-on bouger l’aiguille ?**
Personne ne la voit bouger. Mais une araignée tisse entre l’aiguille et la marque du quart, et chaque printemps elle part d’un endroit un peu différent. L’une de nous deux s’en rend donc compte.

**À quoi sert une horloge qui ne vous dit pas si vous êtes en retard ?**
Elle le dit. Il est à peu près le quart. Je trouve utile de le savoir.

**Qui l’a construite ?**
Trois instituteurs. Ils avaient parié sur la question de savoir si la ville saurait entretenir quoi que ce soit pendant cent ans. Ils sont morts tous les trois ; pour l’instant, je suppose donc que tout le monde a gagné.

**Avez-vous déjà oublié ?**
Une fois. J’étais à l’hôpital. Ce dimanche-là, je me suis dit : elle va s’arrêter, et c’est mon nom qui sera dans le livre. Le lundi, le garçon du kiosque est venu me voir. Il l’avait fait. Il était entré par la fenêtre. Onze tours, m’a-t-il dit, et puis il était resté un moment.`,
    sections: [
      facts('L’horloge', { 'Tours par semaine': '11', Aiguilles: '1', Révolution: '100 ans' }),
    ],
  },
  {
    of: 'darning-in-public',
    slug: 'repriser-en-public',
    title: 'Repriser en public',
    summary: 'Dans le bus 12, avec un œuf de bois : un an de raccommodage à la vue de tous.',
    body: `Si vous lisez dans le bus, on vous laisse tranquille. Si vous reprisez dans le bus, on vient s’asseoir à côté de vous.

J’ai commencé parce que le trajet dure cinquante minutes et que mon pull avait des coudes. Dès la deuxième semaine, un garçon de sept ans environ a voulu savoir si je faisais un trou ou si je le fermais. La question se pose : au début, une reprise ressemble aux deux. Je lui ai laissé tenir l’œuf. Sa grand-mère a dit que sa mère en avait un tout pareil, en olivier, puis pendant trois arrêts elle n’a plus rien dit.

En un an, on m’a montré un talon tourné en 1962, une poche doublée d’un drapeau et un gant si souvent repris qu’il n’y restait plus, disait fièrement sa propriétaire, de gant. On m’a dit que cela n’en valait pas la peine, et c’était toujours quelqu’un qui continuait à regarder.

L’astuce est de prendre un fil d’une autre couleur. Si l’on cache une reprise, l’œil la cherche. Si on la montre, l’œil dit bonjour et passe son chemin.`,
    sections: [quoteOf('rosa-quispe', 'Si l’on cache une reprise, l’œil la cherche.')],
  },
  {
    of: 'reading-clouds',
    slug: 'lire-les-nuages',
    title: 'Lire les nuages',
    summary: 'Trois nuages à connaître par leur nom, et ce que chacun s’apprête à faire.',
    body: `**Celui qui a le ventre plat.** Par une belle matinée paraissent de petits tas blancs, le dessous exactement à la même hauteur, comme posés sur une vitre. Ils le sont : la vitre est l’altitude où l’air de ce jour-là devient trop froid pour garder son eau pour lui. S’ils sont à midi plus larges que hauts, laissez votre manteau. S’ils sont plus hauts, n’en faites rien.

**Celui qui a un crochet.** Très haut, très mince, comme des cheveux peignés à la hâte. C’est de la glace qui tombe, et le crochet est l’endroit où elle rencontre un vent plus lent. Un ou deux ne veulent rien dire. Quand ils arrivent de l’ouest en rangs et commencent à se rejoindre, il vous reste à peu près un jour.

**Celui qui reste sur la montagne.** Il ressemble à une lentille ou à une pile d’assiettes, et ne bouge pas. C’est une illusion. L’air le traverse au galop ; seule la forme est immobile, comme une vague derrière une pierre dans un ruisseau. Ne prévoyez pas de pique-nique sur cette crête.`,
    draft: true,
  },
]
