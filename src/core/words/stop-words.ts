/** Frequent short words of each language, folded like in `splitWords`. They identify the language of a text. */
export const STOP_WORDS = [
  [
    'english',
    'a about after all also am an and any are as at be because been before being both but by can could d did do does doing don each either else ever every few for from further had has have having he her here hers him his how i if in into is isn it its itself just ll m me more most my no nor not now of off on once only or other our ours out over own re s same shall she should so some such t than that the their theirs them then there these they this those through to too under until up upon ve very vs was we were what when where which while who whom whose why will with would you your yours',
  ],
  [
    'german',
    'aber als am an auch auf aus bei bin bis da das dass dem den der des dich die dies diese dieser dir doch du durch ein eine einem einen einer eines er es fur hat ich ihm ihn ihr ihre im in ist ja kann man mein mich mir mit nach nicht noch nur oder ohne sein sich sie sind so uber um und uns unter vom von vor war was weil wenn wer wie wir wird wo zu zum zur',
  ],
  [
    'french',
    'au aux avec ce ces cette comme dans de des du elle en est et eux il ils je la le les leur lui ma mais me mes mon ne nos notre nous on ou par pas pour qu que qui sa se ses son sont sur ta te tes toi ton tu un une vos votre vous',
  ],
  [
    'spanish',
    'al como con de del donde el ella ellos en entre era es esta este esto ha hay la las lo los mas me mi muy no nos o para pero por que se ser si sin sobre su sus te tu un una uno y ya yo',
  ],
  [
    'russian',
    'а без бы был была были было быть в вам вас весь во вот все всех вы где да для до его ее если есть еще же за и из или им их к как какая какие какой ко который которая которое которые когда кто ли мне может можно мы на над не него нее нет ни них но о об он она они оно от по под при с со так также такой там то того тоже только том ты у уже чем что чтобы эта эти это этого этот я',
  ],
  [
    'italian',
    'ad agli ai al alla alle anche che chi ci come con cui da dagli dai dal dalla dei del della delle di e ed essere gli ha hanno il in io la le lo ma mi nei nel nella non o per piu quando questa questo se sono su sul sulla tra un una uno viene',
  ],
  [
    'portuguese',
    'ao aos as ate com como da das de do dos e ela ele em entre esta este foi isso ja mais mas na nao nas no nos o os ou para pela pelo por quando que quem se sem ser seu sua tambem um uma voce',
  ],
  [
    'dutch',
    'aan als bij dan dat de deze die dit door een en er had heb het hij hoe ik in is je kan maar met mijn moet naar niet nog of om onder ook op over te tot uit van veel voor waar wat we wel wordt worden zal ze zich zijn zo zou',
  ],
  [
    'swedish',
    'alla att av blir de dem den denna det detta du efter ej eller en enligt ett for fran genom ha han har hon hur i inte jag kan man med men mot nar nagon och om pa sig sin som ska till under upp ut vad var vi vid vilken',
  ],
  [
    'danish',
    'af alle at blev bliver da de dem den denne der det dette dig du efter eller en er et for fra ham han hun hvad hvis hvor i ikke ind jeg kan man med men mig nar nogle nu og ogsa om op os pa sig skal som til ud under var ved vi vil',
  ],
  [
    'norwegian',
    'alle at av ble blir da de dem den denne der det dette deg du eller en er et etter fra for han hun hva hvis hvor hvordan i ikke inn jeg kan man med men meg mot na nar noe og ogsa om opp oss pa seg skal som til ut under ved vi vil',
  ],
  [
    'finnish',
    'ei ja jos joka jotka kun kuin mutta myos ne niin on olla oli ovat se sen sita siita tai tama taman tata voi voidaan vain mika mita miten jolloin joten eika ole etta',
  ],
  [
    'hungarian',
    'a az azt be csak de egy el es ez ezt fel ha hogy is ki le lesz meg mert mi mint nem ne van volt vagy akkor amely amelyek ami amit ezek itt ott kell lehet majd minden milyen hogyan',
  ],
  [
    'romanian',
    'a ai al ale am ar are ca care ce cu cum dar de din dintre daca despre este eu fi fie in intr la lui mai nu o pe pentru prin sa sau se si sunt un una unde unei unui va fost acest aceasta',
  ],
  [
    'turkish',
    've bir bu da de icin ile olarak olan daha gibi en cok ne ya ki veya her degil var yok sonra kadar nasil hangi ise sadece ancak tum uzerinde eger',
  ],
] as const;

export type Language = (typeof STOP_WORDS)[number][0];
