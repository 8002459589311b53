//! The word lists, written for this purpose.

use super::Classes;

pub(super) const ALL: &[(Classes, &str)] = &[
    (Classes::FUNCTION, FUNCTION),
    (Classes::FUNCTION, FUNCTION_ABROAD),
    (Classes::FIRST_PERSON, "ich mich mir meiner wir uns"),
    (Classes::DEMONSTRATIVE, "dies dieser diese dieses diesem diesen"),
    (Classes::ARTICLE, "der die das dem den denen"),
    (Classes::SUBORDINATOR, SUBORDINATORS),
    (
        Classes::SUBORDINATOR_IN_FRONT,
        "als da damit um ohne statt anstatt bis während seit wie trotzdem wo",
    ),
    (Classes::INTERJECTION, INTERJECTIONS),
    (Classes::ANSWER, "ja nein nee nö jawohl bitte danke jo joa jep yep nope okay ok genau klar"),
    (Classes::AUXILIARY, AUXILIARIES),
    (Classes::VERB, VERBS),
    (Classes::NO_VERB, NO_VERBS),
    (
        Classes::FAMILIAR,
        "du dich dir dein deine deinen deinem deiner deines euch euer eure euren eurem eurer",
    ),
    (Classes::POLITE, "sie ihnen ihr ihre ihren ihrem ihrer ihres"),
    (Classes::DETERMINER, DETERMINERS),
];

const FUNCTION: &str = "
    der die das den dem des ein eine einen einem einer eines kein keine keinen keinem keiner und oder aber denn doch sondern
    sowie dass daß weil wenn als ob wie in im an am auf aus bei beim mit nach von vom vor zu zum zur über unter um für gegen
    ohne durch seit während wegen bis ab neben zwischen hinter ich du er sie es wir ihr mich dich ihn uns euch mir dir ihm
    ihnen sich man mein meine meinen dein deine sein seine seinen seinem seiner unser unsere unseren unserer ihre ihren ihrem
    ihrer dieser diese dieses diesem diesen jeder jede jedes jedem jeden alle allen aller welche welcher welches was wer wo
    wann warum nicht nur auch noch schon so sehr mehr ist sind war waren bin bist wird werden wurde wurden hat haben hatte
    hatten kann können konnte muss müssen soll sollen will wollen darf dürfen hier dort da dann nun jetzt";

/// The most frequent ones of English, French, Italian, Spanish and Dutch.
const FUNCTION_ABROAD: &str = "
    the of and to a in is that it for on with as was at by be this are or from an which you not have has but they his her we
    their its were been there will would can if more one all our your
    le la les de des du et un une que qui est dans pour pas sur par plus au aux avec ce cette il elle nous vous ne se son sa
    ses sont ou mais être
    il lo gli di e che è per una del della dei delle con non si sono da al alla nel nella più come ma anche
    el los las y en una unos por con para del al se su sus es lo como más pero no
    het een van en dat op te zijn voor met niet aan er om ook maar bij uit wordt naar deze dit";

const SUBORDINATORS: &str = "
    dass daß weil wenn ob obwohl obgleich obschon wenngleich nachdem bevor ehe sodass sodaß falls indem sofern solange sobald
    sooft soweit soviel zumal wohingegen seitdem insofern ob wofern weswegen weshalb";

const INTERJECTIONS: &str = "
    ach achso ah aha ahja äh ähm ähem aua au autsch bäh boah bravo brr buh ciao eh ei eieiei gell ha haha hahaha hallo hallöchen
    halli hatschi he hey hi hihi hm hmm hoho hopp hoppla hu huch huhu hui hurra hü hüh igitt iih ja-ha juchhe juhu jippie
    juppheidi naja na nanu ne nu oh oha ohje oje ojemine olala pah pfui phh poh pst psst puh servus tja tschau tschüs tschüss
    uff uh ui uups ups wau weh wow yeah yippie ätsch ähm ähmm mhm mh mmh öh öhm tach moin grüezi lol rofl hehe";

const AUXILIARIES: &str = "
    bin bist ist sind seid sein war warst waren wart wäre wärst wären wärt gewesen sei seist seien habe hab hast hat haben habt
    hatte hattest hatten hattet hätte hättest hätten hättet gehabt werde wirst wird werden werdet wurde wurdest wurden wurdet
    würde würdest würden würdet worden geworden kann kannst können könnt konnte konntest konnten konntet könnte könntest könnten
    könntet gekonnt darf darfst dürfen dürft durfte durftest durften dürfte dürften mag magst mögen mögt mochte mochten möchte
    möchtest möchten möchtet muss muß musst mußt müssen müsst müßt musste mußte mussten mußten müsste müßte müssten müßten soll
    sollst sollen sollt sollte solltest sollten solltet will willst wollen wollt wollte wolltest wollten wolltet";

const VERBS: &str = "
    ging gingen kam kamen kamst sah sahen stand standen fand fanden gab gaben gabst lag lagen nahm nahmen blieb blieben hielt
    hielten hieß hießen ließ ließen lief liefen rief riefen schrieb schrieben sprach sprachen trug trugen traf trafen zog zogen
    bekam bekamen begann begannen half halfen las lasen aß aßen trank tranken schlief schliefen saß saßen fiel fielen fuhr fuhren
    flog flogen schlug schlugen starb starben stieg stiegen verlor verloren verstand verstanden wuchs wuchsen warf warfen bot
    boten bat baten brach brachen empfahl entschied entstand entstanden erschien erschienen erhielt erhielten galt galten gelang
    genoss gewann gewannen goss griff griffen hing hingen hob hoben lud luden schien schienen schnitt schoss schwamm schwieg
    sang sangen sank schloss schlossen trat traten vergaß vergaßen verließ verschwand vertrat wies wiesen erwies wusste wußte
    weiß weißt dachte brachte kannte nannte rannte tat taten tue tust tut tun gib nimm komm komme geh gehe mach mache sag sage
    glaub glaube denk denke find finde seh sehe hör höre wart warte schau schaue hol hole bring bringe lass laß lasse liebe lebe
    arbeite studiere schreibe lese esse fahre laufe bleibe stehe liege sitze nehme gebe brauche hoffe freue wünsche meine suche
    frage kenne verstehe versuche vergesse fühle beginne gehn kommt geht gibt macht sagt steht liegt sieht weiss gegangen
    gekommen gesehen gewusst gefunden gegeben genommen geblieben geschrieben gesprochen getragen getroffen gezogen begonnen
    geholfen gelesen gegessen getrunken geschlafen gesessen gefallen gefahren geflogen geschlagen gestorben gestiegen verloren
    geworfen gebeten gebrochen gegangen gelaufen gerufen gelassen gehalten geheißen";

/// Lower-case words with the ending of a verb.
const NO_VERBS: &str = "
    nicht jetzt sonst dort recht fast erst selbst seit mit gut oft statt samt laut bereit damit somit weit überhaupt insgesamt
    zuerst zuletzt bekannt direkt exakt konkret perfekt leicht schlecht echt wert bunt alt kalt hart zart fest meist höchst längst
    einst bald ernst sanft oft satt matt nackt rot tot breit spät früh gesamt gesund bitte heute mitte letzte letzten erste ersten
    zweite zweiten dritte dritten vierte vierten alte alten gute guten weite weiten breite breiten bunte bunten rechte rechten
    schlechte schlechten echte echten leichte leichten harte harten feste festen beste besten meiste meisten nächste nächsten
    höchste höchsten größte größten wichtigste wichtigsten gesamte gesamten bekannte bekannten geeignete geeigneten erwartet
    unten hinten mitten selten heute leute seite hätte oben neben gegen wegen zwischen eben soeben innen außen drüben draußen
    drinnen daneben dagegen deswegen weswegen meinetwegen zusammen sieben morgen gestern deinen meinen seinen ihren unseren euren
    einen keinen diesen jenen jeden allen vielen wenigen beiden anderen andern einigen manchen welchen solchen denen derjenigen
    denselben dieselben großen kleinen neuen jungen langen kurzen hohen tiefen schönen eigenen ganzen halben vollen leeren freien
    roten grünen blauen gelben weißen schwarzen verschiedenen offenen vergangenen trocken golden eben hölzern einzelnen sämtlichen
    mehreren weiteren anderen besonderen früheren späteren älteren jüngeren größeren kleineren oberen unteren inneren äußeren
    vorderen hinteren bestimmten dritten offen selten verschieden übrigen willen einverstanden zufrieden vorhanden bescheiden ob
    jederzeit derzeit zurzeit soweit weltweit allerseits zeit anstatt mithilfe zumindest mindestens nebst trotz
    quasi kommenden folgenden vorliegenden entsprechenden wachsen gen gegenüber samstags gewiss fremd absolut relativ kompetent
    intelligent elegant interessant relevant konstant prominent permanent effizient transparent konsequent evident akut abrupt
    komplett korrekt indirekt strikt privat separat adäquat diskret geehrt verehrt geehrte geehrten";

const DETERMINERS: &str = "
    der die das den dem des ein eine einen einem einer eines kein keine keinen keinem keiner keines mein meine meinen meinem
    meiner meines dein deine deinen deinem deiner sein seine seinen seinem seiner seines ihr ihre ihren ihrem ihrer ihres unser
    unsere unseren unserem unserer unseres dieser diese dieses diesem diesen jeder jede jedes jedem jeden welche welcher welches
    alle aller allen einige mehrere viele im am zum zur beim vom ins ans";
