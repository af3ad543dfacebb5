/**
 * Words that say nothing of what a text is about: in nearly every text of their language, and short. Folded as
 * `wordsOf` folds them. A list for languages with many pages; in others a search sees by itself what every page has.
 */
const ENGLISH =
  'a about after all also am an and any are as at be because been before being both but by can could d did do does doing don each either else ever every few for from further had has have having he her here hers him his how i if in into is isn it its itself just ll m me more most my no nor not now of off on once only or other our ours out over own re s same shall she should so some such t than that the their theirs them then there these they this those through to too under until up upon ve very vs was we were what when where which while who whom whose why will with would you your yours';
const GERMAN =
  'aber als am an auch auf aus bei bin bis da das dass dem den der des dich die dies diese dieser dir doch du durch ein eine einem einen einer eines er es fur hat ich ihm ihn ihr ihre im in ist ja kann man mein mich mir mit nach nicht noch nur oder ohne sein sich sie sind so uber um und uns unter vom von vor war was weil wenn wer wie wir wird wo zu zum zur';
const FRENCH =
  'au aux avec ce ces cette comme dans de des du elle en est et eux il ils je la le les leur lui ma mais me mes mon ne nos notre nous on ou par pas pour qu que qui sa se ses son sont sur ta te tes toi ton tu un une vos votre vous';
const SPANISH =
  'al como con de del donde el ella ellos en entre era es esta este esto ha hay la las lo los mas me mi muy no nos o para pero por que se ser si sin sobre su sus te tu un una uno y ya yo';

const STOP_WORDS: ReadonlySet<string> = new Set([ENGLISH, GERMAN, FRENCH, SPANISH].join(' ').split(' '));

export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word);
}
