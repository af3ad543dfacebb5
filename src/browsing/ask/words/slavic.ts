import type { ActionLexicon } from './lexicon.ts';

const RUSSIAN: ActionLexicon = {
  by: 'words',
  acts: {
    buy: 'купить, куплю, приобрести, сделать ставку, завершить покупку, подтвердить покупку, продать',
    pay: 'оплатить, заплатить, перейти к оплате и оплатить, подтвердить оплату, подтвердить платеж, пожертвовать, пополнить, вернуть деньги',
    order:
      'заказать, оформить заказ, сделать заказ, подтвердить заказ, отправить заказ, разместить заказ, оформить подписку, подписаться на план, продлить',
    book: 'забронировать, бронировать, подтвердить бронь, подтвердить бронирование, записаться, арендовать',
    send: 'отправить, послать, переслать сейчас, подать заявку, подать заявление, откликнуться',
    publish: 'опубликовать, публиковать, разместить, запостить, комментировать, оставить отзыв, проголосовать',
    delete:
      'удалить, стереть, убрать, очистить корзину, очистить историю, уничтожить, отозвать, деактивировать, закрыть счет, закрыть аккаунт, заблокировать, в корзину удалить',
    cancel:
      'отменить заказ, отменить подписку, отменить бронь, отменить бронирование, отменить запись, отменить поездку, отменить платеж, отписаться, расторгнуть',
    transfer:
      'перевести, перевести деньги, сделать перевод, отправить перевод, подтвердить перевод, вывести средства, снять деньги, внести',
    accept: 'принять, принимаю, согласен, согласна, соглашаюсь, подписать, подтвердить, подтверждаю',
    grant: 'разрешить, предоставить, предоставить доступ, авторизовать, одобрить, пригласить',
  },
  harmless:
    'принять cookie, принять все cookie, принять cookies, удалить фильтр, убрать фильтр, удалить фильтры, убрать из сравнения, удалить из сравнения, убрать из избранного, удалить из избранного, перевести текст, перевести страницу, перевести на, подтвердить выбор',
  confirms: 'да, ок, подтвердить, готово, применить, завершить, продолжить и',
  continues: 'продолжить, далее, понятно',
  nouns: {
    pay: 'оплата, сумма, к оплате',
    order: 'заказ, покупка',
    book: 'бронь, бронирование',
    transfer: 'перевод',
    publish: 'комментарий, отзыв, публикация',
    send: 'сообщение',
    delete: 'удаление, безвозвратно, навсегда',
    cancel: 'отмена заказа',
    grant: 'доступ, разрешение',
  },
  replies: 'ответить, комментировать, сохранить, добавить, создать, поделиться',
  aside:
    'показать, скрыть, назад, отмена, закрыть, забыли, изменить, помощь, еще, очистить, добавить, пропустить, выбрать, копировать',
  messages: 'сообщение, ответ, комментарий, напишите',
  cookies: 'cookie, cookies, куки',
  ordinary:
    'найти, искать, поиск, применить фильтр, применить фильтры, сортировать, показать, в корзину, добавить в корзину, обновить корзину',
};

const UKRAINIAN: ActionLexicon = {
  by: 'words',
  acts: {
    buy: 'купити, придбати, зробити ставку, завершити покупку, підтвердити покупку, продати',
    pay: 'сплатити, оплатити, заплатити, підтвердити оплату, підтвердити платіж, пожертвувати, поповнити',
    order:
      'замовити, оформити замовлення, зробити замовлення, підтвердити замовлення, оформити підписку, продовжити підписку',
    book: 'забронювати, бронювати, підтвердити бронювання, записатися, орендувати',
    send: 'надіслати, відправити, подати заявку, відгукнутися',
    publish: 'опублікувати, публікувати, розмістити, коментувати, залишити відгук, проголосувати',
    delete:
      'видалити, стерти, прибрати, очистити кошик, очистити історію, відкликати, деактивувати, закрити рахунок, заблокувати',
    cancel:
      'скасувати замовлення, скасувати підписку, скасувати бронювання, скасувати запис, скасувати поїздку, відписатися',
    transfer: 'переказати, переказати гроші, зробити переказ, підтвердити переказ, вивести кошти, зняти гроші',
    accept: 'прийняти, приймаю, погоджуюся, погодитися, підписати, підтвердити, підтверджую',
    grant: 'дозволити, надати доступ, авторизувати, схвалити, запросити',
  },
  harmless:
    'прийняти cookie, прийняти всі cookie, видалити фільтр, видалити фільтри, прибрати з порівняння, видалити з обраного, підтвердити вибір',
  confirms: 'так, ок, підтвердити, готово, застосувати, завершити',
  continues: 'продовжити, далі, зрозуміло',
  nouns: {
    pay: 'оплата, сума',
    order: 'замовлення',
    book: 'бронювання',
    transfer: 'переказ',
    delete: 'видалення, назавжди',
    grant: 'доступ, дозвіл',
  },
  replies: 'відповісти, коментувати, зберегти, додати, створити',
  aside:
    'показати, приховати, назад, скасувати, закрити, забули, змінити, допомога, ще, очистити, додати, пропустити, вибрати',
  messages: 'повідомлення, відповідь, коментар',
  cookies: 'cookie, cookies, файли cookie',
  ordinary: 'знайти, шукати, пошук, застосувати фільтр, застосувати фільтри, показати, у кошик, додати в кошик',
};

const CZECH: ActionLexicon = {
  by: 'words',
  acts: {
    buy: 'koupit, koupit teď, koupit nyní, zakoupit, dokončit nákup, potvrdit nákup, přihodit, prodat',
    pay: 'zaplatit, uhradit, platit, potvrdit platbu, provést platbu, darovat, přispět, dobít, vrátit peníze',
    order:
      'objednat, objednávka s povinností platby, odeslat objednávku, potvrdit objednávku, dokončit objednávku, předplatit, prodloužit',
    book: 'rezervovat, zarezervovat, potvrdit rezervaci, dokončit rezervaci, objednat se, pronajmout',
    send: 'odeslat, poslat, zaslat, podat žádost, podat přihlášku',
    publish: 'publikovat, zveřejnit, vystavit, komentovat, hlasovat, přidat komentář, přidat příspěvek',
    delete:
      'smazat, odstranit, vymazat, odebrat, zahodit, vysypat koš, zrušit účet, odvolat, deaktivovat, zablokovat, odinstalovat',
    cancel:
      'zrušit objednávku, zrušit předplatné, zrušit rezervaci, zrušit termín, zrušit členství, zrušit jízdu, stornovat, odhlásit odběr, vypovědět',
    transfer: 'převést, převést peníze, provést převod, potvrdit převod, odeslat peníze, vybrat peníze, vložit peníze',
    accept: 'přijmout, přijímám, souhlasím, souhlasit, podepsat, potvrdit, potvrzuji',
    grant: 'povolit, udělit, udělit přístup, autorizovat, schválit, pozvat',
  },
  harmless:
    'přijmout cookies, přijmout všechny cookies, povolit cookies, souhlasím s cookies, smazat filtr, smazat filtry, odstranit filtr, odebrat filtr, zrušit filtr, odebrat z porovnání, odebrat z oblíbených, odebrat z košíku, potvrdit výběr',
  confirms: 'ano, ok, potvrdit, dokončit, použít, hotovo',
  continues: 'pokračovat, další, rozumím',
  nouns: {
    pay: 'platba, částka, k úhradě',
    order: 'objednávka',
    book: 'rezervace',
    transfer: 'převod',
    delete: 'smazání, trvale, nevratně',
    grant: 'přístup, oprávnění',
  },
  replies: 'odpovědět, komentovat, uložit, přidat, vytvořit, sdílet',
  aside:
    'zobrazit, skrýt, zpět, zrušit, zavřít, zapomenuté, upravit, změnit, nápověda, více, vymazat, přidat, přeskočit, vybrat, kopírovat',
  messages: 'zpráva, odpověď, komentář',
  cookies: 'cookie, cookies',
  ordinary: 'hledat, vyhledat, filtrovat, použít filtry, seřadit, zobrazit, do košíku, přidat do košíku, přepočítat',
};

const POLISH: ActionLexicon = {
  by: 'words',
  acts: {
    buy: 'kup, kupuję, kupić, kupuj, sfinalizuj zakup, potwierdź zakup, zakup teraz, licytuj, sprzedaj',
    pay: 'zapłać, zapłacić, płacę, płać, opłać, dokonaj płatności, potwierdź płatność, wpłać, wesprzyj, zwróć, doładuj',
    order:
      'zamów, zamawiam, zamówić, złóż zamówienie, potwierdź zamówienie, wyślij zamówienie, subskrybuj, odnów, przedłuż',
    book: 'zarezerwuj, rezerwuj, rezerwuję, potwierdź rezerwację, umów wizytę, wynajmij',
    send: 'wyślij, wysyłam, wysłać, prześlij, nadaj, złóż wniosek, aplikuj',
    publish: 'opublikuj, publikuj, publikuję, zamieść, dodaj komentarz, głosuj, skomentuj',
    delete:
      'usuń, usunąć, usuwam, skasuj, kasuj, wymaż, odrzuć szkic, opróżnij kosz, cofnij dostęp, odinstaluj, dezaktywuj, zamknij konto, zablokuj, wyczyść dane, wyczyść historię',
    cancel:
      'anuluj subskrypcję, anuluj zamówienie, anuluj rezerwację, anuluj wizytę, anuluj plan, anuluj członkostwo, zrezygnuj, wypowiedz, wypisz, odwołaj, rezygnuję',
    transfer:
      'przelej, przelewam, wykonaj przelew, wyślij przelew, potwierdź przelew, zleć przelew, wypłać, wpłać, wyślij pieniądze',
    accept:
      'akceptuję, akceptuj, zaakceptuj, zgadzam, wyrażam zgodę, podpisz, przyjmuję, zgoda, potwierdź, potwierdzam',
    grant:
      'zezwól, zezwalam, pozwól, udziel, przyznaj, autoryzuj, zatwierdź, zaproś, nadaj uprawnienia, udostępnij dostęp',
  },
  harmless:
    'akceptuj cookies, akceptuj pliki cookie, akceptuj wszystkie cookies, akceptuj wszystkie pliki cookie, zaakceptuj cookies, zaakceptuj wszystkie, zezwól na cookies, usuń filtr, usuń filtry, wyczyść filtry, usuń z koszyka, usuń z porównania, usuń z ulubionych, potwierdź wybór, usuń formatowanie',
  confirms: 'tak, ok, potwierdź, potwierdzam, zatwierdź, zakończ, zastosuj, gotowe, zgoda, akceptuję, zezwól',
  continues: 'kontynuuj, dalej, następny, rozumiem',
  nouns: {
    pay: 'płatność, kwota, do zapłaty',
    order: 'zamówienie, zakup',
    book: 'rezerwacja, rezerwację',
    transfer: 'przelew, przelewu',
    publish: 'komentarz, wpis, opinia, odpowiedź',
    send: 'wiadomość',
    delete: 'usunięcie, trwale, nieodwracalnie, usunięta, usunięte',
    cancel: 'anulowanie, rezygnacja',
    grant: 'dostęp, dostępu, uprawnienia',
  },
  replies: 'odpowiedz, komentuj, udostępnij, zapisz, dodaj, utwórz',
  aside:
    'pokaż, ukryj, wstecz, anuluj, zamknij, zapomniałem, edytuj, zmień, pomoc, więcej, wyczyść, dodaj, ponownie, pomiń, wybierz, kopiuj',
  messages: 'wiadomość, odpowiedź, komentarz',
  cookies: 'cookie, cookies, ciasteczka',
  ordinary:
    'szukaj, wyszukaj, znajdź, filtruj, zastosuj filtry, sortuj, pokaż, do koszyka, dodaj do koszyka, aktualizuj koszyk, sprawdź dostępność',
};

export const SLAVIC_LANGUAGES = { RUSSIAN, UKRAINIAN, CZECH, POLISH };
