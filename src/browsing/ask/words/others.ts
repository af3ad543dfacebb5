import type { ActionLexicon } from './lexicon.ts';

export const POLISH_ACTION_WORDS: ActionLexicon = {
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

export const JAPANESE_ACTION_WORDS: ActionLexicon = {
  by: 'characters',
  acts: {
    buy: '購入, 買う, 入札, ポチる, 売却, 売る',
    pay: '支払う, 支払い, お支払, 決済, 寄付, チャージ, 返金',
    order: '注文, 申し込む, 申込む, お申し込み, 定期購入, 契約',
    book: '予約, 申込を確定',
    send: '送信, 送る, 応募する, 提出する, 返信する',
    publish: '投稿, 公開する, 公開, 掲載, コメントする, 投票',
    delete: '削除, 消去, 取り除く, 破棄, ゴミ箱, 退会, アカウントを閉じる, 無効化, 取り消す, 除名, 解除',
    cancel: '解約, 購読を停止, 購読をやめる, キャンセルする, 予約をキャンセル, 注文をキャンセル, 配信停止, 退会',
    transfer: '振込, 振り込む, 振り込み, 送金, 出金, 引き出す, 入金',
    accept: '同意, 承諾, 承認, 署名, 受諾',
    grant: '許可, 承認, 権限を付与, アクセスを与える, 招待, 認可',
  },
  harmless:
    '注文履歴, 購入履歴, ご注文履歴, 注文一覧, 注文状況, 注文の詳細, 予約の詳細, 購入の詳細, 買い物, 予約履歴, 予約状況, 予約一覧, 送信済み, 送信済, 送信トレイ, 新着投稿, 投稿一覧, 投稿日, 公開日, 支払い方法, お支払い方法, 支払い履歴, 送金履歴, 振込履歴, 比較から削除, お気に入りから削除, カートから削除, フィルターを解除, フィルターを削除, 絞り込みを解除, 選択を解除, 選択解除, クッキーを許可, クッキーに同意, クッキーを受け入れ, 未読にする',
  confirms: 'はい, OK, 確認, 確定, 完了, 実行, 適用, 決定, 同意する, 許可',
  continues: '続ける, 続行, 次へ, 了解',
  nouns: { delete: '元に戻せません, 完全に', grant: 'アクセス権', pay: 'お支払い金額, 合計金額' },
  replies: '返信, コメント, 回答, 保存, 共有, 作成',
  aside: '表示, 非表示, 戻る, キャンセル, 閉じる, 忘れた, 編集, 変更, ヘルプ, 追加, スキップ, 選択, コピー',
  messages: 'メッセージ, 返信, コメント',
  cookies: 'cookie, クッキー',
  ordinary: '検索, 検索する, 絞り込む, 並べ替え, 表示, カートに入れる, カートに追加, カートを更新',
};

export const CHINESE_ACTION_WORDS: ActionLexicon = {
  by: 'characters',
  acts: {
    buy: '购买, 買, 购入, 卖出, 出售, 賣出, 立即抢购, 抢购, 下单, 出价, 購買',
    pay: '支付, 付款, 结算并支付, 捐款, 捐赠, 打赏, 充值, 退款',
    order: '提交订单, 确认订单, 确认下单, 订购, 订阅, 开通, 续费, 提交訂單, 訂購',
    book: '预订, 预定, 预约, 立即预订, 預訂, 預約, 租用',
    send: '发送, 寄出, 投递, 申请职位, 提交申请, 發送, 傳送',
    publish: '发布, 发表, 发帖, 公开, 投票, 評論, 發布, 發表, 上线',
    delete: '删除, 移除, 清空, 销毁, 注销, 撤销授权, 卸载, 停用, 刪除, 丢弃, 拉黑, 封禁, 踢出',
    cancel: '取消订阅, 取消订单, 取消预订, 取消预约, 取消会员, 取消续费, 退订, 解约, 取消訂閱, 取消訂單, 终止合同',
    transfer: '转账, 汇款, 提现, 转出, 转入, 存入, 轉帳, 打款',
    accept: '同意, 接受, 签署, 签名, 簽署',
    grant: '授权, 允许, 批准, 赋予, 邀请, 授予, 授權, 允許, 添加成员',
  },
  harmless:
    '订单记录, 我的订单, 购买记录, 支付方式, 付款方式, 支付记录, 转账记录, 发布时间, 发布日期, 最新发布, 预订记录, 预订详情, 订单详情, 支付详情, 购买须知, 移出对比, 从对比中删除, 取消收藏, 删除筛选, 移除筛选, 清空筛选, 清空搜索, 接受所有 cookie, 接受 cookie, 接受cookie, 接受所有cookie, 允许 cookie, 同意使用 cookie, 已发送, 草稿箱, 订阅号, 我的订阅, 公开课',
  confirms: '确定, 确认, 是, 好的, 好, 完成, 提交, 应用, 同意, 允许, 確定, 確認',
  continues: '继续, 下一步, 我知道了, 繼續',
  nouns: { order: '订单', delete: '不可恢复, 无法恢复, 永久', grant: '访问权限, 权限', pay: '金额, 应付' },
  replies: '回复, 评论, 回答, 保存, 分享, 创建, 提交',
  aside: '显示, 隐藏, 返回, 取消, 关闭, 忘记, 编辑, 修改, 帮助, 添加, 跳过, 选择, 复制',
  messages: '消息, 回复, 评论, 私信',
  cookies: 'cookie',
  ordinary: '搜索, 搜尋, 查询, 筛选, 排序, 查看, 加入购物车, 加入購物車, 更新购物车',
};
