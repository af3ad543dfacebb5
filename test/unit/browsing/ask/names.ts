/** Names of buttons in one language: those with a question to the user, and those without. Separator: ` | `. */
export type Names = { language: string; asks: string; fine: string };

/** Written before the word lists were changed for them. */
export const BLIND_NAMES: readonly Names[] = [
  {
    language: 'en',
    asks: 'Place your order | Pay with card | Buy tickets | Complete my purchase | Send money | Delete this message | Permanently delete | Remove user | Cancel my subscription | Cancel the ride | Unsubscribe from all | Post comment | Publish now | Transfer funds | Book a table | Reserve a spot | Accept the offer | Grant access | Allow once | Submit my application | Submit order | Donate $25 | Confirm booking | Confirm and send | Sign and submit | Revoke token | Deactivate my account | Send invitation | Invite people | Withdraw cash | Start my free trial | Approve payment | I understand the consequences of this action, please delete this repository | Send to everyone | Empty the trash | Sell shares',
    fine: 'Send feedback filter | Book title A–Z | Order by date | Post code lookup | Delete filter chip | Clear all filters | Remove from wishlist | Subscribe to column | Next page | Save as draft | Add to cart | Show more | Load older posts | View your orders | Track my order | Payment options | Transfer history | Deleted items | Cancelled orders | Read the accepted answer | Purchase history | Books | Booking details | Publisher | Sender | Paying for college | Buyer guide | Acceptance criteria | Share link | Like | Sort by price | Zoom in | Play video | Change language | Sign in | Forgot password? | Skip | Back to top | Close',
  },
  {
    language: 'de',
    asks: 'Kostenpflichtig bestellen | Jetzt bezahlen | Ticket kaufen | Nachricht senden | Endgültig löschen | Abo kündigen | Kommentar veröffentlichen | Geld überweisen | Tisch reservieren | Vertrag annehmen | Zugriff erlauben | Bewerbung absenden | Bestellung stornieren | Auftrag bestätigen | Vom Newsletter abmelden | Konto schließen | Aktien verkaufen | Freigabe erteilen',
    fine: 'Filter zurücksetzen | Sortieren nach Datum | Bestellverlauf | Zahlungsarten | Weiter einkaufen | Zum Warenkorb | Mehr anzeigen | Buchungsdetails | Gesendete Nachrichten | Entwürfe | Postfach | Nächste Seite | Sprache ändern | Aus dem Vergleich entfernen | Merken | Teilen | Abbrechen | Anmelden | Drucken | Versandkosten',
  },
  {
    language: 'fr',
    asks: 'Payer maintenant | Acheter des billets | Passer la commande | Envoyer le message | Supprimer définitivement | Annuler mon abonnement | Publier le commentaire | Virer de l’argent | Réserver une table | Accepter le contrat | Autoriser l’accès | Envoyer ma candidature | Confirmer le paiement | Se désabonner | Fermer le compte | Vendre',
    fine: 'Réinitialiser les filtres | Trier par date | Historique des commandes | Continuer mes achats | Voir le panier | Voir plus | Détails de la réservation | Messages envoyés | Brouillons | Page suivante | Changer de langue | Retirer de la comparaison | Partager | Annuler | Se connecter | Imprimer | Frais de livraison | Enregistrer',
  },
  {
    language: 'es',
    asks: 'Pagar ahora | Comprar entradas | Hacer pedido | Enviar mensaje | Eliminar definitivamente | Cancelar mi suscripción | Publicar comentario | Transferir dinero | Reservar mesa | Aceptar el contrato | Permitir acceso | Enviar solicitud | Confirmar el pago | Darse de baja | Cerrar la cuenta | Vender',
    fine: 'Restablecer filtros | Ordenar por fecha | Historial de pedidos | Seguir comprando | Ver carrito | Ver más | Detalles de la reserva | Mensajes enviados | Borradores | Página siguiente | Cambiar idioma | Quitar de la comparación | Compartir | Cancelar | Iniciar sesión | Imprimir | Gastos de envío | Guardar',
  },
  {
    language: 'it',
    asks: 'Paga ora | Acquista biglietti | Invia messaggio | Elimina definitivamente | Annulla abbonamento | Pubblica commento | Trasferisci denaro | Prenota un tavolo | Accetta il contratto | Consenti accesso | Invia candidatura | Conferma il pagamento | Disiscriviti | Chiudi account | Vendi',
    fine: 'Reimposta filtri | Ordina per data | Storico ordini | Continua gli acquisti | Vai al carrello | Mostra altro | Dettagli prenotazione | Messaggi inviati | Bozze | Pagina successiva | Cambia lingua | Rimuovi dal confronto | Condividi | Annulla | Accedi | Stampa | Spese di spedizione | Salva',
  },
  {
    language: 'pt',
    asks: 'Pagar agora | Comprar ingressos | Fazer pedido | Enviar mensagem | Excluir permanentemente | Cancelar minha assinatura | Publicar comentário | Transferir dinheiro | Reservar mesa | Aceitar o contrato | Permitir acesso | Enviar candidatura | Confirmar o pagamento | Encerrar conta | Vender',
    fine: 'Redefinir filtros | Ordenar por data | Histórico de pedidos | Continuar comprando | Ver carrinho | Ver mais | Detalhes da reserva | Mensagens enviadas | Rascunhos | Próxima página | Mudar idioma | Remover da comparação | Compartilhar | Cancelar | Entrar | Imprimir | Salvar',
  },
  {
    language: 'nl',
    asks: 'Nu betalen | Tickets kopen | Bestelling plaatsen | Bericht verzenden | Definitief verwijderen | Abonnement opzeggen | Reactie plaatsen | Geld overmaken | Tafel reserveren | Contract accepteren | Toegang toestaan | Sollicitatie versturen | Betaling bevestigen | Uitschrijven | Account sluiten | Verkopen',
    fine: 'Filters resetten | Sorteren op datum | Bestelgeschiedenis | Verder winkelen | Naar winkelwagen | Meer tonen | Boekingsgegevens | Verzonden berichten | Concepten | Volgende pagina | Taal wijzigen | Verwijderen uit vergelijking | Delen | Annuleren | Inloggen | Afdrukken | Verzendkosten | Opslaan',
  },
  {
    language: 'pl',
    asks: 'Zapłać teraz | Kup bilety | Złóż zamówienie | Wyślij wiadomość | Usuń na stałe | Anuluj subskrypcję | Opublikuj komentarz | Przelej pieniądze | Zarezerwuj stolik | Akceptuję umowę | Zezwól na dostęp | Wyślij zgłoszenie | Potwierdź płatność | Wypisz się | Zamknij konto | Sprzedaj',
    fine: 'Resetuj filtry | Sortuj według daty | Historia zamówień | Kontynuuj zakupy | Przejdź do koszyka | Pokaż więcej | Szczegóły rezerwacji | Wysłane wiadomości | Szkice | Następna strona | Zmień język | Usuń z porównania | Udostępnij | Anuluj | Zaloguj się | Drukuj | Koszty dostawy | Zapisz',
  },
  {
    language: 'ja',
    asks: '購入する | 今すぐ支払う | 注文する | メッセージを送信 | 完全に削除 | 定期購読を解約 | コメントを投稿 | 送金する | 席を予約 | 利用規約に同意する | アクセスを許可 | 応募する | 支払いを確定 | 配信停止 | アカウントを削除 | 売却する',
    fine: 'フィルターをリセット | 日付順 | 注文履歴 | 買い物を続ける | カートを見る | もっと見る | 予約の詳細 | 送信済みメール | 下書き | 次のページ | 言語を変更 | 比較から削除 | 共有 | キャンセル | ログイン | 印刷 | 送料 | 保存',
  },
  {
    language: 'zh',
    asks: '购买 | 立即付款 | 提交订单 | 发送消息 | 永久删除 | 取消订阅 | 发表评论 | 转账给朋友 | 预订餐桌 | 同意条款 | 允许访问 | 投递简历 | 确认付款 | 退订 | 注销账户 | 卖出',
    fine: '重置筛选 | 按日期排序 | 订单历史 | 继续购物 | 查看购物车 | 显示更多 | 预订详情 | 已发送邮件 | 草稿 | 下一页 | 更改语言 | 移出对比 | 分享 | 取消 | 登录 | 打印 | 运费 | 保存',
  },
  {
    language: 'ko',
    asks: '구매하기 | 지금 결제 | 주문 확정 | 메시지 보내기 | 영구 삭제 | 구독 해지 | 댓글 등록하기 | 친구에게 송금 | 테이블 예약 | 약관 동의 | 접근 허용 | 지원서 제출 | 결제 확인 | 수신거부 | 계정 삭제',
    fine: '필터 초기화 | 날짜순 | 주문 내역 | 쇼핑 계속하기 | 장바구니 보기 | 더 보기 | 예약 내역 | 보낸 메일함 | 임시 보관함 | 다음 페이지 | 언어 변경 | 비교에서 삭제 | 공유 | 취소 | 로그인 | 인쇄 | 배송비 | 저장',
  },
  {
    language: 'ru',
    asks: 'Купить билеты | Оплатить сейчас | Оформить заказ | Отправить сообщение | Удалить навсегда | Отменить подписку | Опубликовать комментарий | Перевести деньги | Забронировать столик | Принять условия | Разрешить доступ | Подать заявку | Подтвердить платёж | Отписаться | Закрыть счёт',
    fine: 'Сбросить фильтры | Сортировать по дате | История заказов | Продолжить покупки | Перейти в корзину | Показать ещё | Детали бронирования | Отправленные | Черновики | Следующая страница | Сменить язык | Убрать из сравнения | Поделиться | Отмена | Войти | Печать | Стоимость доставки | Сохранить',
  },
  {
    language: 'uk',
    asks: 'Купити зараз | Сплатити | Оформити замовлення | Надіслати повідомлення | Видалити назавжди | Скасувати підписку | Опублікувати | Переказати гроші | Забронювати | Прийняти умови | Надати доступ',
    fine: 'Скинути фільтри | Сортувати за датою | Історія замовлень | Показати більше | Надіслані | Чернетки | Далі | Змінити мову | Поділитися | Скасувати | Увійти | Зберегти',
  },
  {
    language: 'cs',
    asks: 'Koupit vstupenky | Zaplatit kartou | Odeslat objednávku | Odeslat zprávu | Trvale smazat | Zrušit předplatné | Publikovat komentář | Převést peníze | Rezervovat stůl | Souhlasím s podmínkami | Povolit přístup',
    fine: 'Resetovat filtry | Řadit podle data | Historie objednávek | Zobrazit více | Odeslané | Koncepty | Další stránka | Změnit jazyk | Sdílet | Zrušit | Přihlásit se | Uložit',
  },
  {
    language: 'sv',
    asks: 'Köp biljetter | Betala med kort | Lägg beställning | Skicka meddelande | Ta bort permanent | Säg upp abonnemang | Publicera kommentar | Överför pengar | Boka bord | Godkänn villkoren | Tillåt åtkomst',
    fine: 'Återställ filter | Sortera efter datum | Orderhistorik | Visa mer | Skickat | Utkast | Nästa sida | Byt språk | Dela | Avbryt | Logga in | Spara',
  },
  {
    language: 'da',
    asks: 'Køb billetter | Betal med kort | Afgiv ordre | Send besked | Slet permanent | Opsig abonnement | Offentliggør | Overfør penge | Reserver bord | Accepter vilkår | Giv adgang',
    fine: 'Nulstil filtre | Sorter efter dato | Ordrehistorik | Vis mere | Sendt | Kladder | Næste side | Skift sprog | Del | Annuller | Log ind | Gem',
  },
  {
    language: 'no',
    asks: 'Kjøp billetter | Betal med kort | Fullfør bestilling | Send melding | Slett permanent | Si opp abonnementet | Publiser | Overfør penger | Reserver bord | Godta vilkårene | Gi tilgang',
    fine: 'Nullstill filtre | Sorter etter dato | Ordrehistorikk | Vis mer | Sendt | Utkast | Neste side | Bytt språk | Del | Avbryt | Logg inn | Lagre',
  },
  {
    language: 'tr',
    asks: 'Bilet satın al | Kartla öde | Siparişi onayla | Mesaj gönder | Kalıcı olarak sil | Aboneliği iptal et | Yorumu yayınla | Para gönder | Masa rezervasyonu yap | Koşulları kabul et | Erişime izin ver',
    fine: 'Filtreleri sıfırla | Tarihe göre sırala | Sipariş geçmişi | Daha fazla göster | Gönderilenler | Taslaklar | Sonraki sayfa | Dili değiştir | İptal | Giriş yap | Kaydet',
  },
  {
    language: 'ar',
    asks: 'شراء التذاكر | ادفع بالبطاقة | إتمام الطلب | إرسال الرسالة | حذف نهائي | إلغاء الاشتراك | نشر التعليق | تحويل المال | احجز طاولة | أوافق على الشروط | السماح بالوصول',
    fine: 'إعادة تعيين المرشحات | الترتيب حسب التاريخ | سجل الطلبات | عرض المزيد | المرسل | المسودات | الصفحة التالية | تغيير اللغة | مشاركة | إلغاء | تسجيل الدخول | حفظ',
  },
  {
    language: 'hi',
    asks: 'टिकट खरीदें | कार्ड से भुगतान करें | ऑर्डर करें | संदेश भेजें | स्थायी रूप से हटाएं | सदस्यता रद्द करें | टिप्पणी प्रकाशित करें | पैसे भेजें | शर्तें स्वीकार करें',
    fine: 'फ़िल्टर रीसेट करें | तारीख के अनुसार | ऑर्डर इतिहास | और दिखाएं | भेजे गए | ड्राफ़्ट | अगला पृष्ठ | भाषा बदलें | साझा करें | लॉग इन | सहेजें',
  },
];
