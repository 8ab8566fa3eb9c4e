import type { ArticleTranslation } from '../article-seed.js'
import { facts, quote, quoteOf } from '../sections.js'

export const german: readonly ArticleTranslation[] = [
  {
    of: 'the-last-ferry-of-october',
    slug: 'die-letzte-faehre-im-oktober',
    title: 'Die letzte Fähre im Oktober',
    summary:
      'Wenn der Sommerfahrplan endet, wird eine Insel mit zweihundert Leuten wieder zur Insel.',
    body: `Die Mannschaft sagt es nicht an. Kein Horn, keine Rede, nur Anders im Steuerhaus, der den eingeschweißten Fahrplan abnimmt und einmal faltet, weil sich die Folie kein zweites Mal falten lässt. Ab morgen fährt das Schiff dienstags und freitags, wenn das Wetter will, und das Wetter will selten.

An Deck sind neun Fahrgäste, eine Waschmaschine, vier Säcke Kartoffeln und ein Cello. Das Cello gehört der neuen Lehrerin. Alle haben sie gefragt, was sie den ganzen Winter auf der Insel machen wird, und inzwischen antwortet sie: „Dasselbe wie ihr.“ Das ist die richtige Antwort. Noch ehe wir um die Schäre sind, hat ihr jemand den Schlüssel zum Bootshaus geliehen, das bei Ebbe eine gute Akustik haben soll.

Die Sommerleute glauben, die Insel schlafe jetzt ein. Eher ist es umgekehrt. Der Chor fängt wieder an. Die Straße wird ausgebessert. Streitigkeiten, die man im Juni vertagt hat, weil das Heu hereinmusste und Gäste satt werden wollten, gehen genau bei dem Wort weiter, bei dem sie aufgehört haben.

Ich frage Anders, ob ihn das leere Schiff stört. Er denkt zwei Tonnen lang darüber nach. „Im Juli fahre ich Leute“, sagt er. „Im November fahre ich jemanden.“`,
    notes: [
      'Das Winterschiff fährt dienstags und freitags, außer bei mehr als siebzehn Metern Wind in der Sekunde.',
      '- Der Laden öffnet, wenn das Schiff kommt.',
      '- Die Bücherei ist im Laden.',
    ],
    sections: [
      quote('Anders, Fährmann', 'Im Juli fahre ich Leute. Im November fahre ich jemanden.'),
      facts('Die Überfahrt', { Strecke: '11 Seemeilen', Dauer: '70 Minuten', Besatzung: '3' }),
    ],
  },
  {
    of: 'the-dark-valley',
    slug: 'das-dunkle-tal',
    title: 'Das dunkle Tal',
    summary: 'Sechshundert Leute schalteten ihre Straßenlampen ab und fanden die Milchstraße.',
    body: `Es ging um Geld. Die Lampen waren vierzig Jahre alt, neue waren teuer, und bei der Versammlung in der Turnhalle sagte in der letzten Reihe jemand, nicht ganz im Ernst, man könne sie ja auch einfach auslassen.

Einen Winter lang probierten sie es. Die Bäckerin kaufte eine Stirnlampe. Die Hunde bekamen Lichter ans Halsband, sodass ein paar Wochen lang niedrige, umherirrende Sterne durch die Gassen zogen. Es gab einen einzigen Unfall, mit einer Schubkarre.

Dann kam im Januar eine klare Nacht, und einer nach dem anderen trat vor die Tür, weil jemand angerufen und gesagt hatte: Geht raus. Ich habe mir das von vielleicht dreißig Leuten erzählen lassen, und alle sehen dabei nach oben. Die Älteren kannten es aus der Kindheit. Die Jüngeren hatten gedacht, es habe etwas mit Fotografie zu tun.

Heute hat das Tal elf Pensionen mit Liegestühlen und freitags einen Astronomen. Manchen ist das etwas viel. Aber im Frühjahr stimmte man noch einmal ab, ob die Lampen zurücksollen, und von sechshundert Händen zählte der Bürgermeister vier. Er bat, noch einmal zu zählen; es sei, sagte er, ziemlich dunkel.`,
    sections: [
      quote('Der Bürgermeister', 'Zählt noch einmal. Es ist ziemlich dunkel.'),
      facts('Das Tal', { Einwohner: '612', Straßenlampen: '0', 'Sichtbare Sterne': 'Rund 4500' }),
    ],
  },
  {
    of: 'a-village-that-moved-uphill',
    slug: 'ein-dorf-zieht-bergauf',
    title: 'Ein Dorf zieht bergauf',
    summary:
      'Nach der dritten Flut nahmen die Leute im Tal ihre Häuser auseinander und trugen sie fort.',
    body: `Die Zahlen stehen noch auf den Balken. Wer weiß, wo er suchen muss, hinter dem Ofen oder unter der Traufe, findet im Dorf an jedem Holz eine römische Ziffer. Im Herbst 1889 wurde sie mit dem Stemmeisen hineingeschlagen, damit man vierzig Häuser im Tal abbauen und auf der Terrasse wieder aufrichten konnte, neunzig Meter höher.

Es dauerte zwei Sommer. Zuerst kam die Kirche, weil man die Glocke brauchte, um zur Arbeit zu rufen, und als Zweites das Wirtshaus, wegen der Arbeit. Die Schindeln trugen die Familien selbst, auf dem Rücken, so wie sie Heu trugen. Im Pfarrbuch steht, wie schwer alles war und wie schlecht gelaunt alle.

Nicht jede Ziffer wurde richtig gelesen. Bei Hallers führt eine Tür in die Wand. Das Gruberhaus steht spiegelverkehrt, und vier Generationen Gruber haben gelernt, sich erst umzudrehen, bevor sie es beschreiben.

Unten, wo das Dorf war, hat der Fluss die Wiese für sich. In trockenen Augusten zeichnen sich im Gras die Keller ab, als blasse Rechtecke. Man schickt die Kinder hinunter, damit sie in der Küche ihrer Ururgroßeltern stehen, und sagt ihnen, sie sollen darauf achten, wie nass ihre Schuhe sind.`,
  },
  {
    of: 'the-map-that-was-wrong-on-purpose',
    slug: 'die-absichtlich-falsche-karte',
    title: 'Die absichtlich falsche Karte',
    summary: 'Kartografen versteckten früher eine Straße, die es nicht gab. Dann zog jemand hin.',
    body: `Eine Karte zu zeichnen dauert zehn Jahre, sie abzuzeichnen einen Nachmittag. Also lernten die Kartenmacher, dort zu unterschreiben, wo niemand hinsieht: eine Biegung zu viel im Bach, ein Weg zwischen zwei Gärten, ein Weiler, der nach jemandes Hund heißt. Tauchte der Hund beim Konkurrenten auf, wusste man Bescheid.

Auf dem Blatt unseres Bezirks, Ausgabe 1931, gibt es eine kurze Straße namens Lindengasse. Sie führt von der Brauerei zum Kanal, und es gibt sie nicht. Mein Vater, der als Lehrling im Vermessungsamt zeichnete, kannte den Mann, der sie erfunden hatte; er wollte seiner Frau eine Straße schenken.

Nach dem Krieg fehlten Wohnungen, und es gab einen neuen Beamten mit einer alten Karte. Er wies einem Paar mit zwei Kindern ein Grundstück in der Nummer 4 zu. Sie gingen hin und suchten. Da sie vernünftige Leute waren, fanden sie die Stelle, an der es hätte sein müssen, bauten zwischen Brauerei und Kanal eine Hütte und malten die Nummer selbst daran.

Andere kamen nach. Heute stehen in der Lindengasse elf Häuser und eine Linde. Seit 1952 ist sie auf jeder Karte, und soweit ich habe herausfinden können, ist sie die einzige richtige, die je von einem Fehler abgezeichnet wurde.`,
    sections: [
      quoteOf('pavel-novotny', 'Eine Karte dauert zehn Jahre, ihre Kopie einen Nachmittag.'),
    ],
  },
  {
    of: 'the-hut-with-no-road',
    slug: 'die-huette-ohne-strasse',
    title: 'Die Hütte ohne Straße',
    summary: 'Gerda Moser hat alles in ihrer Küche selbst heraufgetragen. Zweimal.',
    body: `**Warum zweimal?**
Die erste Küche ist sechsundneunzig abgebrannt. Der Herd hat es überlebt, also musste ich nur den Rest tragen.

**Was war das Schwerste?**
Der Herd. Aber das war mein Großvater, in Teilen, mit dem Muli. Ich habe nur einmal die Tür davon getragen, zum Schweißen. Sechsundzwanzig Kilo. Man lehnt sich vor und denkt an die Füße.

**Wäre es mit einer Straße nicht leichter?**
Für wen? Die Leute kommen ja, weil es keine gibt. Gäbe es eine, würden sie herauffahren, die Aussicht anschauen, sagen, dass sie schön ist, und wieder hinunterfahren. So kommen sie an und haben sich die Suppe verdient. Ich seh es daran, wie sie die Schale halten.

**Was machen Sie, wenn niemand kommt?**
Bei Nebel? Da putze ich die Fenster. Das klingt dumm. Aber der Nebel geht, wann er will, und dann möchte man fertig sein.

**Was hätten Sie hier oben noch gern?**
Sie sieht sich eine Weile in der Stube um.
Noch so einen Stuhl wie den da. Aber er müsste mir so gut gefallen, dass ich ihn trage.`,
    sections: [
      quote('Gerda Moser', 'Sie kommen an und haben sich die Suppe verdient.'),
      facts('Die Hütte', { Höhe: '2140 Meter', Betten: '18', 'Vom Tal': '3 Stunden' }),
    ],
  },
  {
    of: 'the-slowest-clock',
    slug: 'die-langsamste-uhr',
    title: 'Die langsamste Uhr',
    summary:
      'Ihr einziger Zeiger braucht hundert Jahre für eine Runde. Aufziehen muss man sie trotzdem.',
    body: `**Sie ziehen die Uhr seit 2009 auf. Was ist da zu tun?**
Jeden Sonntag elf Umdrehungen. Dann bleibe ich ein bisschen bei ihr sitzen. Gleich wieder zu gehen, käme mir unhöflich vor.

**Sieht man, wie der Zeiger sich bewegt?**
Niemand sieht das. Aber zwischen dem Zeiger und dem Viertelstrich baut eine Spinne, und jedes Frühjahr fängt sie an einer etwas anderen Stelle an. Eine von uns beiden merkt es also.

**Wozu taugt eine Uhr, die einem nicht sagen kann, ob man zu spät ist?**
Das kann sie. Wir haben ungefähr Viertel nach. Ich finde es nützlich, das zu wissen.

**Wer hat sie gebaut?**
Drei Lehrer. Sie hatten gewettet, ob die Stadt überhaupt etwas hundert Jahre lang in Gang hält. Sie sind alle tot, also haben bis jetzt wohl alle gewonnen.

**Haben Sie es einmal vergessen?**
Einmal. Ich lag im Krankenhaus. Am Sonntag dachte ich: Jetzt bleibt sie stehen, und im Buch steht mein Name. Am Montag kam der Junge vom Kiosk zu Besuch. Er hatte es gemacht. Durchs Fenster war er hinein. Elf Umdrehungen, sagte er, und dann sei er ein bisschen sitzen geblieben.`,
  },
]
