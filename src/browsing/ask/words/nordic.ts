import type { ActionLexicon } from './lexicon.ts';

export const SWEDISH_ACTION_WORDS: ActionLexicon = {
  by: 'words',
  acts: {
    buy: 'köp, köpa, köp nu, slutför köp, slutför köpet, bekräfta köp, lägg bud, lägg budet, sälj',
    pay: 'betala, betala nu, genomför betalning, bekräfta betalning, godkänn betalning, donera, skänk, swisha, återbetala',
    order:
      'beställ, beställa, lägg beställning, skicka beställning, slutför beställning, bekräfta beställning, prenumerera, teckna, förnya',
    book: 'boka, boka nu, reservera, bekräfta bokning, slutför bokning, hyr',
    send: 'skicka, skicka in, sänd, ansök, lämna in',
    publish: 'publicera, posta inlägg, posta kommentar, posta nu, lägg upp, kommentera, rösta, skicka kommentar',
    delete:
      'ta bort, radera, släng, kasta, töm papperskorgen, återkalla, avinstallera, inaktivera, stäng konto, avsluta konto, blockera',
    cancel:
      'avboka, avbeställ, säg upp, avsluta prenumeration, avsluta abonnemang, avbryt prenumeration, avbryt beställning, avregistrera, annullera',
    transfer:
      'överför, överföra, för över, genomför överföring, bekräfta överföring, ta ut pengar, sätt in pengar, skicka pengar',
    accept:
      'acceptera, accepterar, godkänn, godkänner, samtyck, samtycker, underteckna, signera, skriv under, bekräfta, jag samtycker',
    grant: 'tillåt, bevilja, ge åtkomst, auktorisera, bjud in',
  },
  harmless:
    'acceptera cookies, acceptera alla cookies, godkänn cookies, godkänn alla cookies, tillåt cookies, tillåt alla cookies, acceptera kakor, godkänn kakor, ta bort filter, rensa filter, ta bort från jämförelse, ta bort från favoriter, bekräfta val',
  confirms: 'ja, ok, bekräfta, slutför, klar, verkställ, använd',
  continues: 'fortsätt, nästa, jag förstår',
  nouns: {
    pay: 'betalning, belopp, att betala',
    order: 'beställning, köp',
    book: 'bokning',
    transfer: 'överföring',
    delete: 'borttagning, permanent',
    grant: 'åtkomst, behörighet',
  },
  replies: 'svara, kommentera, spara, dela, lägg till, skapa',
  aside:
    'visa, dölj, tillbaka, avbryt, stäng, glömt, redigera, ändra, hjälp, mer, rensa, lägg till, hoppa över, välj, kopiera',
  messages: 'meddelande, svar, kommentar',
  cookies: 'cookie, cookies, kakor',
  ordinary: 'sök, filtrera, sortera, visa, lägg i varukorg, lägg i varukorgen, uppdatera varukorg',
};

export const DANISH_ACTION_WORDS: ActionLexicon = {
  by: 'words',
  acts: {
    buy: 'køb, køb nu, gennemfør køb, bekræft køb, byd, afgiv bud, sælg',
    pay: 'betal, betal nu, gennemfør betaling, bekræft betaling, godkend betaling, donér, støt, refundér',
    order:
      'bestil, bestil nu, afgiv ordre, afgiv bestilling, gennemfør bestilling, bekræft bestilling, bekræft ordre, abonnér, forny',
    book: 'book nu, reservér, reserver, bekræft booking, bekræft reservation, lej',
    send: 'send, indsend, afsend, ansøg',
    publish: 'offentliggør, udgiv, publicér, slå op, kommentér, stem nu, stem på, afgiv stemme',
    delete:
      'slet, fjern, kassér, tøm papirkurv, tøm papirkurven, tilbagekald, afinstallér, deaktivér, luk konto, blokér',
    cancel:
      'opsig, afbestil, annuller ordre, annuller bestilling, annuller abonnement, annuller booking, aflys, afmeld',
    transfer: 'overfør, gennemfør overførsel, bekræft overførsel, udbetal, hæv penge, indsæt penge, send penge',
    accept: 'accepter, accepterer, godkend, godkender, samtykker, underskriv, bekræft, jeg accepterer',
    grant: 'tillad, giv adgang, tildel, autorisér, inviter, invitér',
  },
  harmless:
    'accepter cookies, accepter alle cookies, tillad cookies, tillad alle cookies, godkend cookies, fjern filter, fjern filtre, slet filter, slet filtre, fjern fra sammenligning, fjern fra favoritter, bekræft valg',
  confirms: 'ja, ok, bekræft, gennemfør, færdig, anvend',
  continues: 'fortsæt, næste, forstået',
  nouns: {
    pay: 'betaling, beløb',
    order: 'ordre, bestilling, køb',
    book: 'booking, reservation',
    transfer: 'overførsel',
    delete: 'sletning, permanent',
    grant: 'adgang, tilladelse',
  },
  replies: 'svar, kommentér, gem, del, tilføj, opret',
  aside:
    'vis, skjul, tilbage, annuller, luk, glemt, rediger, skift, hjælp, mere, ryd, tilføj, spring over, vælg, kopiér',
  messages: 'besked, svar, kommentar',
  cookies: 'cookie, cookies',
  ordinary: 'søg, filtrer, sorter, vis, læg i kurv, læg i kurven, opdater kurv',
};

export const NORWEGIAN_ACTION_WORDS: ActionLexicon = {
  by: 'words',
  acts: {
    buy: 'kjøp, kjøp nå, fullfør kjøp, fullfør kjøpet, bekreft kjøp, gi bud, legg inn bud, selg',
    pay: 'betal, betal nå, fullfør betaling, bekreft betaling, godkjenn betaling, doner nå, doner til, gi en gave, refunder',
    order:
      'bestill, bestill nå, legg inn bestilling, fullfør bestilling, send bestilling, bekreft bestilling, abonner, forny',
    book: 'bestill time, reserver, book nå, bekreft booking, bekreft reservasjon, lei nå, lei bil',
    send: 'send, send inn, søk på stillingen',
    publish: 'publiser, legg ut, kommenter, stem nå, stem på, avgi stemme',
    delete:
      'slett, fjern, forkast, tøm papirkurv, tøm papirkurven, tilbakekall, avinstaller, deaktiver, steng konto, blokker',
    cancel: 'si opp, avbestill, avbryt abonnement, kanseller, kanseller bestilling, avlys, meld av',
    transfer: 'overfør, fullfør overføring, bekreft overføring, ta ut penger, sett inn penger, send penger',
    accept: 'godta, godtar, aksepter, aksepterer, samtykk, samtykker, signer, skriv under, bekreft',
    grant: 'tillat, gi tilgang, autoriser, godkjenn, inviter',
  },
  harmless:
    'godta cookies, godta alle cookies, godta informasjonskapsler, godta alle informasjonskapsler, tillat cookies, tillat alle, fjern filter, fjern filtre, slett filter, fjern fra sammenligning, fjern fra favoritter, bekreft valg',
  confirms: 'ja, ok, bekreft, fullfør, ferdig, bruk',
  continues: 'fortsett, neste, jeg forstår',
  nouns: {
    pay: 'betaling, beløp',
    order: 'bestilling, ordre, kjøp',
    book: 'reservasjon',
    transfer: 'overføring',
    delete: 'sletting, permanent',
    grant: 'tilgang, tillatelse',
  },
  replies: 'svar, kommenter, lagre, del, legg til, opprett',
  aside: 'vis, skjul, tilbake, avbryt, lukk, glemt, rediger, endre, hjelp, mer, tøm, legg til, hopp over, velg, kopier',
  messages: 'melding, svar, kommentar',
  cookies: 'cookie, cookies, informasjonskapsler',
  ordinary: 'søk, filtrer, sorter, vis, legg i handlekurv, legg i handlekurven, oppdater handlekurv',
};
