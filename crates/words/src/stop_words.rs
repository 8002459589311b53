//! Words that say how a sentence is built and not what it is about.
//!
//! The lists were written for this program, by word class: articles, pronouns, prepositions,
//! conjunctions, auxiliaries and the adverbs and verbs that accompany any subject. They are in lower
//! case; the German list is written with umlauts and `ß`.

use crate::StemLanguage;

/// The stop words of a language, in lower case.
///
/// ```
/// use auslese_words::{StemLanguage, stop_words};
///
/// assert!(stop_words(StemLanguage::German).any(|word| word == "über"));
/// ```
pub fn stop_words(language: StemLanguage) -> impl Iterator<Item = &'static str> {
    let list = match language {
        StemLanguage::English => ENGLISH,
        StemLanguage::German => GERMAN,
    };
    list.split_ascii_whitespace()
}

const ENGLISH: &str = "
a an the
i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself
she her hers herself it its itself they them their theirs themselves one ones oneself
this that these those who whom whose which what whatever whichever whoever
some any no none nothing nobody nowhere every everyone everything everybody everywhere each either
neither both all another other others something someone somebody somewhere anything anyone anybody
anywhere many much more most few fewer fewest less least several enough such same own
about above across after against along alongside amid among amongst around as at atop before behind
below beneath beside besides between beyond by concerning despite down during except for from in inside
into like near of off on onto out outside over past per regarding since through throughout till to
toward towards under underneath until unto up upon versus via with within without
and but or nor so yet if unless because although though while whereas whether than when whenever where
wherever whereby wherein why how however therefore thus hence moreover furthermore nevertheless
nonetheless otherwise instead meanwhile accordingly consequently
am is are was were be been being have has had having do does did doing done will would shall should can
cannot could may might must ought
not never ever always often sometimes seldom rarely usually generally typically commonly frequently
already also again almost alone apart aside away back even further just maybe only perhaps quite rather
really still then there thereby therein thereof too very well indeed merely mainly mostly nearly
especially particularly respectively simply actually currently recently previously finally first
firstly second secondly third lastly next now once twice here today together soon later earlier
likely unlikely largely roughly approximately exactly fully highly directly easily clearly
eg e.g ie i.e etc et al cf vs viz
get gets getting got give gives given giving go goes going gone make makes making made take takes taking
taken took come comes coming came put puts let lets keep keeps kept say says said seem seems seemed
seen see sees show shows showed shown showing use uses used using become becomes became
allow allows allowed allowing provide provides provided providing propose proposes proposed
present presents presented describe describes described consider considers considered considering
consist consists contain contains contained contain containing include includes included including
based following followed follows obtain obtained obtains need needs needed require requires required
assume assumes assumed note noted denote denotes denoted define defines defined mean means meant
find finds found discuss discussed discusses compare compared corresponding according due
better best good bad large larger largest small smaller smallest high higher highest low lower lowest
great greater new old able certain different various similar possible main able particular available
important several two three four five six seven eight nine ten hundred thousand
ll re ve don didn doesn isn aren wasn weren won wouldn couldn shouldn hasn haven hadn
";

const GERMAN: &str = "
der die das den dem des ein eine einen einem einer eines kein keine keinen keinem keiner keines
ich mich mir mein meine meinen meinem meiner meines du dich dir dein deine deinen deinem deiner er ihn
ihm sein seine seinen seinem seiner seines sie ihr ihre ihren ihrem ihrer ihres es wir uns unser unsere
unseren unserem unserer euch euer eure sich selbst selber man
dieser diese dieses diesen diesem jener jene jenes jenen jenem solcher solche solches solchen solchem
derselbe dieselbe dasselbe derjenige diejenige dasjenige welcher welche welches welchen welchem wer wen
wem wessen was jeder jede jedes jeden jedem mancher manche manches manchen manchem alle alles allen
allem aller einige einiges einigen einigem einiger etwas nichts niemand jemand viel viele vieles vielen
vieler wenig wenige weniges wenigen weniger mehr meist meisten mehrere mehreren mehrerer beide beiden
beider beides andere anderen anderem anderer anderes anders sämtliche einander
an am ans auf aufs aus außer bei beim bis durch durchs für fürs gegen gegenüber gemäß hinter hinterm in
im ins innerhalb außerhalb laut mit mittels nach neben ohne seit statt anstatt trotz über überm übers um
ums unter unterhalb oberhalb von vom vor vorm während wegen wider zu zum zur zwischen bezüglich
hinsichtlich aufgrund anhand infolge mithilfe entlang samt sowie
und oder aber denn sondern doch jedoch weder noch entweder als wie dass daß ob weil da damit wenn falls
sofern soweit sobald solange obwohl obgleich indem nachdem bevor ehe bis während wohingegen sodass
also daher deshalb deswegen darum somit folglich dennoch trotzdem allerdings hingegen dagegen zudem
außerdem ferner darüber hinaus überdies zwar nämlich
bin bist ist sind seid war warst waren wart wäre wären gewesen sei seien habe hast hat haben habt hatte
hattest hatten hätte hätten gehabt werde wirst wird werden werdet wurde wurden würde würden worden
geworden kann kannst können könnt konnte konnten könnte könnten gekonnt muss muß müssen musste mußte
mussten müsste müssten soll sollen sollte sollten will wollen wollte wollten darf dürfen durfte dürfte
mag mögen mochte möchte möchten lassen lässt läßt ließ
nicht nie niemals immer oft häufig manchmal selten meistens schon bereits auch wieder fast beinahe nur
sehr noch nun jetzt dann dort hier hierbei hierfür hierzu dabei dadurch dafür daran darauf daraus darin
davon davor dazu danach daneben darunter wobei wodurch wofür woran worauf woraus worin wovon wozu wo
woher wohin warum wieso weshalb wann so sogar etwa eher ebenfalls ebenso gleichfalls gar ganz genau
insbesondere besonders beispielsweise zunächst zuerst zuletzt schließlich anschließend später früher
bisher seither heute einmal zweimal mindestens höchstens jeweils jeweilige jeweiligen lediglich
möglicherweise vielleicht eigentlich einfach etc bzw usw ggf vgl sog ca evtl inkl bspw zb dh
her hin weg ab los zusammen zurück weiter weitere weiteren weiterer weiteres
gibt geben gab gegeben geht gehen ging macht machen machte gemacht kommt kommen kam nimmt nehmen nahm
steht stehen stand liegt liegen lag zeigt zeigen zeigte gezeigt findet finden fand gefunden bleibt
bleiben hält halten heißt heißen lässt bietet bieten verwendet verwenden verwendete benutzt benutzen
ermöglicht ermöglichen enthält enthalten besteht bestehen gilt gelten folgt folgen folgende folgenden
folgender folgendes entsprechend entsprechende entsprechenden bestimmte bestimmten bestimmter
verschiedene verschiedenen verschiedener unterschiedliche unterschiedlichen neue neuen neuer neues
gute guten guter gutes große großen großer großes kleine kleinen kleiner kleines hohe hohen hoher
wichtig wichtige wichtigen möglich mögliche möglichen eigene eigenen eigener gleich gleiche gleichen
erste ersten erster erstes zweite zweiten zweiter dritte dritten letzte letzten letzter nächste nächsten
zwei drei vier fünf sechs sieben acht neun zehn hundert tausend
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_in_lower_case_and_keep_what_texts_are_about() {
        for language in StemLanguage::ALL {
            assert!(stop_words(language).all(|word| word == word.to_lowercase()));
            let has = |word: &str| stop_words(language).any(|it| it == word);
            assert!(["in", "am"].into_iter().all(has), "{language:?}");
            let subjects = ["system", "information", "model", "theorie", "theory", "netz"];
            assert!(!subjects.into_iter().any(has), "{language:?}");
        }
    }
}
