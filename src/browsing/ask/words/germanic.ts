import type { ActionLexicon } from './lexicon.ts';

const ENGLISH: ActionLexicon = {
  by: 'words',
  acts: {
    buy: 'buy, purchase, purchase now, complete purchase, place bid, bid now, make offer, submit offer, sell, sell now, place trade, checkout now, one click',
    pay: 'pay, make payment, make a payment, submit payment, confirm payment, complete payment, authorize payment, donate, give now, give 1*, give 2*, give 3*, give 4*, give 5*, give 6*, give 7*, give 8*, give 9*, tip, refund, top up',
    order:
      'order, order now, place order, place your order, place my order, submit order, confirm order, complete order, send order, reorder, upgrade to, upgrade plan, start membership, join now, subscribe, start subscription, start my subscription, start trial, start free trial, upgrade now, renew',
    book: 'book, book now, book it, reserve, make reservation, complete booking, complete reservation, confirm booking, confirm reservation, request to book, request ride, request trip, confirm pickup, confirm ride, confirm trip, confirm appointment, request appointment',
    send: 'send, resend, submit application, submit form, submit request, submit claim, submit ticket, submit return, submit report, submit new, apply now, request prescription, request refund, request withdrawal, request loan, file claim, paper plane',
    publish:
      'post, publish, tweet, retweet, repost, submit review, submit comment, submit answer, submit post, create post, create topic, create issue, create ticket, create thread, close with comment, go live, vote',
    delete:
      'delete, remove, erase, wipe, purge, destroy, trash, empty trash, empty bin, discard, revoke, uninstall, deactivate, disable account, close account, clear history, clear data, clear all data, clear browsing data, factory reset, terminate, ban, drop database, drop table, move to trash, move to bin, report spam',
    cancel:
      'unsubscribe, cancel subscription, cancel membership, cancel plan, cancel order, cancel booking, cancel reservation, cancel appointment, cancel card, cancel account, cancel trial, cancel ticket, cancel flight, cancel payment, cancel transfer, cancel my, cancel contract, cancel ride, cancel trip, cancel delivery, cancel event, cancel meeting, cancel request, cancel rental, cancel service, cancel transaction, cancel purchase, cancel registration, cancel application, cancel policy, cancel bid, end subscription, end membership, stop subscription, withdraw from',
    transfer: 'transfer, wire, withdraw, send money, send funds, move money, deposit, make transfer, exchange now',
    accept:
      'accept, agree, i agree, i accept, agreed, accept terms, consent, sign now, sign document, adopt and sign, accept and continue, agree and continue, accept offer, sign petition, sign contract, sign agreement, e sign, sign and, confirm, confirm with',
    grant:
      'grant, grant access, allow, allow access, authorize, authorise, approve, give access, give permission, permit, invite, add collaborator, add member, share access, trust this, make admin, make owner, confirm access',
  },
  harmless:
    'sort order, my orders, in order to, books, postcode, post office, post 1*, post 2*, post 3*, post 4*, post 5*, post 6*, post 7*, post 8*, post 9*, post to learn, transfer learning, you might also buy, best buy, how to buy, why buy, how to pay, equal pay, pay scale, pay slip, pay slips, send feedback, remove filter*, remove from comparison, remove from compare, remove from wishlist, remove from watchlist, remove from favorites, remove from favourites, remove from saved, remove from selection, remove from cart, remove from basket, remove from bag, remove one, we accept, accepted here, please send, subscribe to column, subscribe to thread, subscribe to topic, subscribe to channel, subscribe to calendar, subscribe to feed, subscribe to rss, subscribe to comments, confirm selection, confirm choice*, confirm location, confirm age, confirm email, confirm date*, how to delete, how to remove, how to cancel, how to send, how to order, how to book, how to transfer, how to donate, confirm password, clear filter*, delete filter*, remove highlight, remove sort, remove bold, remove formatting, remove format, remove link, remove favorite*, remove bookmark, accept cookies, accept all cookies, allow cookies, allow all cookies, accept necessary cookies, accept essential cookies, invite only, bid history, vote count, terms of, how to, wire transfer info, donate button, tip of the day, tips',
  nounUses: {
    makers:
      'cast, complete, execute, finalise, finalize, finish, increase, initiate, make, place, raise, schedule, start, submit',
    acts: 'book, order, post, transfer, tip, trash, purchase, deposit, vote, bid, wire, exchange, permit, tweet',
    before:
      'my, your, our, their, his, her, the, this, that, previous, next, last, first, latest, newest, recent, new, old, blog, forum, preview, view, show, see, open, read, translate, edit, track, find, search, print, download, export, copy, quote, sort, manage, about, guest, address, look, per, by, all, other, pinned, original, related, more, market, customer, comic, cook, e, audio, phone, story, sketch, year, log, alphabetical, ascending, descending, reading, word',
    after:
      'detail*, histor*, status, list*, number*, no, id, summary, page*, title*, by, type*, date*, guide*, tutorial*, method*, option*, polic*, terms, fee*, info, information, limit*, count*, book, editor, preview, template*, cover*, author*, chapter*, club*, review*, store*, of, tracking, tracker, confirmation, archive*, total*, subtotal, folder, value*, size*, price*, rate*, form*, code, settings, instructions, help, faq*, calculator, icon, tab, column, filter*, view, feed, guidelines, can',
  },
  confirms: 'ok, okay, yes, confirm, submit, apply, finish, complete, done, go, proceed, accept, allow, approve, sure',
  continues: 'continue, next, i understand, got it, agree',
  nouns: {
    pay: 'payment, pay, amount due, total due',
    order: 'order, order total, purchase',
    book: 'booking, reservation',
    transfer: 'transfer, transfer amount',
    publish: 'comment, your comment, your post, your reply, your review',
    send: 'message, your message',
    delete: 'deletion, deleted, removal, cannot be undone, undo this, permanently, forever',
    cancel: 'cancellation',
    grant: 'access, permission, permissions',
  },
  replies: 'reply, comment, answer, share, submit, save, add comment, add reply, add answer, create, respond',
  aside:
    'show, hide, back, cancel, close, forgot, edit, change, help, learn, clear, scan, add, resend, skip, info, reset, toggle, select, choose, generate, copy, previous',
  messages:
    'message, reply, comment, chat, type a message, write a message, write a reply, write a comment, say something',
  cookies: 'cookie, cookies, gdpr, tracking, value your privacy',
  ordinary:
    'search, find, filter, filters, apply filter, apply filters, sort, show, show results, add to cart, add to basket, add to bag, update cart, update basket, update quantity, recalculate, apply code, apply coupon, apply voucher, apply discount, apply promo code, search nearby, find stores, check availability, add to wishlist, compare, preview',
};

const GERMAN: ActionLexicon = {
  by: 'words',
  acts: {
    buy: 'kaufen, kaufe, kauf abschließen, kauf abschliessen, kauf bestätigen, erwerben, sofortkauf, bieten, gebot abgeben, ersteigern, verkaufen, jetzt verkaufen',
    pay: 'zahlen, bezahlen, zahlungspflichtig, zahlung freigeben, zahlung bestätigen, zahlung ausführen, zahlung abschließen, spenden, freigeben, erstatten, aufladen',
    order:
      'bestellen, bestelle, kostenpflichtig, bestellung abschicken, bestellung absenden, bestellung aufgeben, bestellung abschließen, bestellung bestätigen, bestellung ausführen, abonnieren, abo abschließen, beauftragen, auftrag erteilen, verlängern',
    book: 'buchen, buche, reservieren, verbindlich reservieren, buchung abschließen, buchung bestätigen, reservierung bestätigen, termin bestätigen, mieten',
    send: 'senden, absenden, abschicken, verschicken, versenden, schicken, einreichen, bewerben, zusenden',
    publish:
      'veröffentlichen, posten, publizieren, beitrag erstellen, kommentieren, abstimmen, kommentar abgeben, bewertung abgeben',
    delete:
      'löschen, lösche, entfernen, entferne, verwerfen, papierkorb leeren, widerrufen, deinstallieren, deaktivieren, konto schließen, konto auflösen, zurücksetzen auf werkseinstellungen, vernichten, sperren, in den papierkorb',
    cancel:
      'kündigen, abbestellen, abmelden vom newsletter, vom newsletter abmelden, newsletter abmelden, stornieren, storniere, abo beenden, vertrag beenden, mitgliedschaft beenden, bestellung abbrechen, termin absagen, absagen',
    transfer:
      'überweisen, überweise, überweisung ausführen, überweisung bestätigen, auszahlen, abheben, geld senden, einzahlen, umbuchen',
    accept:
      'akzeptieren, akzeptiere, zustimmen, stimme, einwilligen, einverstanden, annehmen, unterschreiben, unterzeichnen, anerkennen, bestätigen, mit tan bestätigen',
    grant:
      'erlauben, zulassen, gewähren, autorisieren, genehmigen, zugriff erlauben, berechtigen, einladen, freischalten, zugang geben, freigabe erteilen, ermächtigen',
  },
  harmless:
    'cookies akzeptieren, alle cookies akzeptieren, cookies zulassen, cookies erlauben, cookies annehmen, filter löschen, filter entfernen, formatierung entfernen, link entfernen, suche löschen, auswahl entfernen, markierung entfernen, lesezeichen entfernen, wie kaufen, gerade verkaufen, vergleich entfernen, merkzettel entfernen, merkliste entfernen, warenkorb entfernen, favoriten entfernen, auswahl bestätigen',
  confirms:
    'ja, ok, bestätigen, fertig, abschließen, übernehmen, anwenden, ausführen, jetzt bestätigen, einverstanden, erlauben',
  continues: 'weiter, fortfahren, verstanden, fortsetzen',
  nouns: {
    pay: 'zahlung, betrag, gesamtbetrag',
    order: 'bestellung, bestellübersicht, kauf',
    book: 'buchung, reservierung',
    transfer: 'überweisung',
    publish: 'beitrag, kommentar, antwort, bewertung',
    send: 'nachricht',
    delete: 'löschung, endgültig, unwiderruflich, rückgängig',
    cancel: 'kündigung, stornierung',
    grant: 'zugriff, berechtigung, berechtigungen',
  },
  replies: 'antworten, antwort, kommentieren, teilen, abgeben, speichern, erstellen, beantworten',
  aside:
    'anzeigen, verbergen, zurück, abbrechen, schließen, vergessen, bearbeiten, ändern, hilfe, mehr, leeren, hinzufügen, erneut, überspringen, auswählen, kopieren, einblenden, ausblenden',
  messages: 'nachricht, antwort, kommentar, nachricht schreiben',
  cookies: 'cookie, cookies',
  ordinary:
    'suchen, suche, finden, filtern, filter anwenden, sortieren, anzeigen, in den warenkorb, in den einkaufswagen, warenkorb aktualisieren, menge aktualisieren, gutschein einlösen, code einlösen, verfügbarkeit prüfen, auf den merkzettel, vorschau',
};

const DUTCH: ActionLexicon = {
  by: 'words',
  acts: {
    buy: 'kopen, koop, koop nu, aankoop afronden, aankoop bevestigen, aanschaffen, bieden, bod plaatsen, verkopen, verkoop nu',
    pay: 'betalen, betaal, afrekenen en betalen, betaling bevestigen, betaling uitvoeren, betaling afronden, doneren, doneer, terugbetalen',
    order:
      'bestellen, bestel, bestelling plaatsen, bestelling bevestigen, bestelling afronden, abonneren, abonneer, verlengen',
    book: 'boeken, boek nu, boek, reserveren, reserveer, boeking bevestigen, reservering bevestigen, huren',
    send: 'versturen, verstuur, verzenden, verzend, sturen, stuur, indienen, solliciteren, opsturen',
    publish: 'publiceren, publiceer, plaatsen, plaats, posten, stemmen',
    delete:
      'verwijderen, verwijder, wissen, wis, weggooien, prullenbak legen, intrekken, deactiveren, account sluiten, vernietigen, blokkeren',
    cancel:
      'opzeggen, abonnement annuleren, bestelling annuleren, boeking annuleren, reservering annuleren, afspraak annuleren, uitschrijven, afmelden voor, beëindigen',
    transfer: 'overmaken, overschrijven, overboeken, geld sturen, opnemen, storten, overboeking bevestigen',
    accept: 'akkoord, accepteren, accepteer, aanvaarden, instemmen, ondertekenen, goedkeuren, bevestigen, bevestig',
    grant: 'toestaan, verlenen, toegang geven, machtigen, autoriseren, uitnodigen, toestemming geven',
  },
  harmless:
    'cookies accepteren, alle cookies accepteren, cookies toestaan, akkoord met cookies, filter verwijderen, filters wissen, opmaak verwijderen, koop en huur, boek van de, uit vergelijking verwijderen, verwijderen uit vergelijking, verwijderen uit winkelwagen, verwijderen uit favorieten, selectie bevestigen',
  confirms: 'ja, ok, bevestigen, bevestig, klaar, voltooien, toepassen, afronden, akkoord, toestaan',
  continues: 'doorgaan, verder, volgende, begrepen',
  nouns: {
    pay: 'betaling, bedrag, totaalbedrag',
    order: 'bestelling, aankoop',
    book: 'boeking, reservering',
    transfer: 'overboeking, overschrijving',
    publish: 'reactie, bericht plaatsen, beoordeling',
    send: 'bericht',
    delete: 'verwijdering, definitief, permanent, ongedaan',
    cancel: 'annulering, opzegging',
    grant: 'toegang, toestemming',
  },
  replies: 'reageren, antwoorden, beantwoorden, reageer, opslaan, delen, toevoegen',
  aside:
    'tonen, verbergen, terug, annuleren, sluiten, vergeten, bewerken, wijzigen, help, meer, toevoegen, opnieuw, overslaan, kiezen, kopiëren',
  messages: 'bericht, reactie, antwoord',
  cookies: 'cookie, cookies',
  ordinary:
    'zoeken, zoek, filteren, filters toepassen, sorteren, tonen, in winkelwagen, toevoegen aan winkelwagen, winkelwagen bijwerken, beschikbaarheid controleren',
};

const SWEDISH: ActionLexicon = {
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

const DANISH: ActionLexicon = {
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

const NORWEGIAN: ActionLexicon = {
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

export const GERMANIC_LANGUAGES = { ENGLISH, GERMAN, DUTCH, SWEDISH, DANISH, NORWEGIAN };
